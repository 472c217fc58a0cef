import type { Database } from 'bun:sqlite'
import type { Passage } from '../segments/passages.ts'
import type { IndexedPassage } from '../segments/segment.ts'
import { indexedTerms, readWords, termsOf } from '../words/terms.ts'
import { addKnown, type KnownWord } from '../words/vocabulary.ts'

/** The terms of one passage, by field. */
export type PassageTerms = Pick<IndexedPassage, 'title' | 'headings' | 'body'>

/** A passage as terms. Adds its words to those of the vocabulary. */
export function analyse(
  title: Uint32Array,
  { headings, text }: Passage,
  known?: Set<KnownWord>,
): PassageTerms {
  const headingWords = readWords(headings.join('\n'))
  const bodyWords = readWords(text)
  if (known) for (const words of [headingWords, bodyWords]) addKnown(known, words)
  return { title, headings: indexedTerms(headingWords), body: indexedTerms(bodyWords) }
}

/** Encodes terms as the lengths of title and headings, followed by all terms. */
export function encodeTerms({ title, headings, body }: PassageTerms): Uint8Array {
  const numbers = new Uint32Array(2 + title.length + headings.length + body.length)
  numbers.set([title.length, headings.length])
  numbers.set(title, 2)
  numbers.set(headings, 2 + title.length)
  numbers.set(body, 2 + title.length + headings.length)
  return new Uint8Array(numbers.buffer)
}

function decodeTerms(bytes: Uint8Array): PassageTerms {
  const numbers = new Uint32Array(bytes.slice().buffer)
  const headings = 2 + numbers[0]!
  const body = headings + numbers[1]!
  return {
    title: numbers.slice(2, headings),
    headings: numbers.slice(headings, body),
    body: numbers.slice(body),
  }
}

export const indexedPassage = (
  id: number,
  source: number,
  terms: PassageTerms,
): IndexedPassage => ({ id, source, ...terms })

/** The newest passages of a board, which are not in a segment yet. */
export function freshPassages(db: Database, project: number): IndexedPassage[] {
  const rows = db
    .query<{ id: number; source: number; terms: Uint8Array }, [number]>(
      `SELECT f.id, f.terms, p.source FROM fresh f JOIN passages p ON p.id = f.id
       WHERE f.project = ? ORDER BY f.id`,
    )
    .all(project)
  return rows.map(({ id, source, terms }) => indexedPassage(id, source, decodeTerms(terms)))
}

interface PassageRow {
  id: number
  source: number
  headings: string
  text: string
  title: string
}

/** Analyses passages again from their texts, because their segment is damaged. */
export function reanalysePassages(
  db: Database,
  project: number,
  after: number,
  upto: number,
): IndexedPassage[] {
  const rows = db
    .query<PassageRow, [number, number, number]>(
      `SELECT p.id, p.source, p.headings, p.text, s.title
       FROM sources s JOIN passages p ON p.source = s.source
       WHERE s.project = ? AND p.id > ? AND p.id <= ? ORDER BY p.id`,
    )
    .all(project, after, upto)
  return rows.map(({ id, source, headings, text, title }) =>
    indexedPassage(id, source, analyse(termsOf(title), { headings: JSON.parse(headings), text })),
  )
}
