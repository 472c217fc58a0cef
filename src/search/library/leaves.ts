import type { Database } from 'bun:sqlite'
import type { Piece } from '../passages.ts'
import type { Leaf } from '../shelf.ts'
import { termsOf } from '../terms.ts'

/** Of one passage, in the order of its fields. */
export type Terms = Pick<Leaf, 'title' | 'headings' | 'body'>

export const analysed = (title: Uint32Array, { headings, text }: Piece): Terms => ({
  title,
  headings: termsOf(headings.join('\n')),
  body: termsOf(text),
})

/** Two lengths, then the terms of all three. */
export function packed({ title, headings, body }: Terms): Uint8Array {
  const all = new Uint32Array(2 + title.length + headings.length + body.length)
  all.set([title.length, headings.length])
  all.set(title, 2)
  all.set(headings, 2 + title.length)
  all.set(body, 2 + title.length + headings.length)
  return new Uint8Array(all.buffer)
}

function unpacked(bytes: Uint8Array): Terms {
  const all = new Uint32Array(bytes.slice().buffer)
  const headings = 2 + all[0]!
  const body = headings + all[1]!
  return {
    title: all.slice(2, headings),
    headings: all.slice(headings, body),
    body: all.slice(body),
  }
}

export const leafOf = (id: number, source: number, terms: Terms): Leaf => ({ id, source, ...terms })

/** The newest passages of a board, which are in no segment yet. */
export function freshLeaves(db: Database, project: number): Leaf[] {
  const rows = db
    .query<{ id: number; source: number; terms: Uint8Array }, [number]>(
      `SELECT f.id, f.terms, p.source FROM fresh f JOIN passages p ON p.id = f.id
       WHERE f.project = ? ORDER BY f.id`,
    )
    .all(project)
  return rows.map(({ id, source, terms }) => leafOf(id, source, unpacked(terms)))
}

interface Read {
  id: number
  source: number
  headings: string
  text: string
  title: string
}

/** From their texts, where what was made of them before cannot be read. */
export function readAgain(db: Database, project: number, above: number, upto: number): Leaf[] {
  const rows = db
    .query<Read, [number, number, number]>(
      `SELECT p.id, p.source, p.headings, p.text, s.title
       FROM sources s JOIN passages p ON p.source = s.source
       WHERE s.project = ? AND p.id > ? AND p.id <= ? ORDER BY p.id`,
    )
    .all(project, above, upto)
  return rows.map(({ id, source, headings, text, title }) =>
    leafOf(id, source, analysed(termsOf(title), { headings: JSON.parse(headings), text })),
  )
}
