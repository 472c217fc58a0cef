import type { Query, Term } from './query.ts'
import { type Token, tokensOf } from './words.ts'

const LENGTH = 200
/** What is read of a long text; a passage further down is not worth the time of everybody else. */
const MOST_READ = 20_000

/** The words of a query that a text may hold; what is to be absent is in none. */
export const termsOf = ({ words }: Query): Term[] => words.flat()

/** Where terms stand in a row of words: the places of the first and the last word of each. */
export function placesOf(
  tokens: readonly Token[],
  terms: readonly Term[],
): [first: number, last: number, term: Term][] {
  const found: [number, number, Term][] = []
  for (let at = 0; at < tokens.length; at++)
    for (const term of terms)
      if (stands(term, tokens, at)) found.push([at, at + term.words.length - 1, term])
  return found
}

function stands({ words, prefix }: Term, tokens: readonly Token[], from: number): boolean {
  const last = words.length - 1
  for (let at = 0; at < last; at++) if (tokens[from + at]?.word !== words[at]) return false
  const word = tokens[from + last]?.word
  return word !== undefined && (prefix ? word.startsWith(words[last]!) : word === words[last])
}

/**
 * The passage of a text in which most of the terms stand, with `**` around each. It is one line of
 * plain text; what could begin a tag is written otherwise, so that it is safe wherever it is shown.
 */
export function snippetOf(text: string, terms: readonly Term[]): string | undefined {
  const read = text.slice(0, MOST_READ)
  const tokens = tokensOf(read)
  const marks = apart(placesOf(tokens, terms).map(([a, b]) => [tokens[a]!, tokens[b]!]))
  const [first, last] = densest(marks)
  if (!first || !last) return undefined
  const spare = Math.max(0, LENGTH - (last.end - first.start))
  const from = wordEdge(read, first.start - Math.ceil(spare / 3), first.start)
  const to = Math.max(last.end, wordEdge(read, from + LENGTH, read.length, true))
  return `${from > 0 ? '…' : ''}${marked(read, marks, from, to)}${to < text.length ? '…' : ''}`
}

interface Mark {
  start: number
  end: number
}

/** Without those that overlap one before. */
function apart(pairs: readonly [Token, Token][]): Mark[] {
  const marks: Mark[] = []
  for (const [{ start }, { end }] of pairs)
    if (start >= (marks.at(-1)?.end ?? 0)) marks.push({ start, end })
  return marks
}

/** The first and last mark of the passage that holds most of them. */
function densest(marks: readonly Mark[]): [Mark?, Mark?] {
  let best: [number, number] = [0, 0]
  for (let from = 0, to = 0; from < marks.length; from++) {
    to = Math.max(to, from)
    while (to + 1 < marks.length && marks[to + 1]!.end - marks[from]!.start <= LENGTH) to++
    if (to - from > best[1] - best[0]) best = [from, to]
  }
  return [marks[best[0]], marks[best[1]]]
}

/** The nearest space, so that no word is cut; none beyond `limit`. */
function wordEdge(text: string, near: number, limit: number, isEnd = false): number {
  if (near <= 0) return 0
  if (near >= text.length) return text.length
  const space = isEnd ? text.lastIndexOf(' ', near) : text.indexOf(' ', near)
  return space < 0 || (!isEnd && space >= limit) ? Math.min(near, limit) : space + (isEnd ? 0 : 1)
}

function marked(text: string, marks: readonly Mark[], from: number, to: number): string {
  let line = ''
  let at = from
  for (const { start, end } of marks) {
    if (start < from || end > to) continue
    line += `${text.slice(at, start)}\0${text.slice(start, end)}\0`
    at = end
  }
  return (line + text.slice(at, to))
    .replaceAll('*', '')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('\0', '**')
    .replace(/\s+/g, ' ')
    .trim()
}
