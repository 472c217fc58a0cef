import { type Token, tokensOf } from '../words/words.ts'
import type { Query, Term } from './query.ts'

const LENGTH = 200
/** Characters read of a long text, to bound the time of a snippet. */
const MAX_READ = 20_000

/** The terms that a text may match, without those that must be absent. */
export const termsOf = ({ words }: Query): Term[] => words.flat()

/** The matches of terms in a sequence of words: the first and the last word of each. */
export function placesOf(
  tokens: readonly Token[],
  terms: readonly Term[],
): [first: number, last: number, term: Term][] {
  const found: [number, number, Term][] = []
  for (let at = 0; at < tokens.length; at++)
    for (const term of terms)
      if (matchesAt(term, tokens, at)) found.push([at, at + term.words.length - 1, term])
  return found
}

function matchesAt({ words, prefix }: Term, tokens: readonly Token[], from: number): boolean {
  const last = words.length - 1
  for (let at = 0; at < last; at++) if (tokens[from + at]?.word !== words[at]) return false
  const word = tokens[from + last]?.word
  return word !== undefined && (prefix ? word.startsWith(words[last]!) : word === words[last])
}

/**
 * The part of a text with the most matches, with `**` around each. It is one line of plain text with
 * `<` and `>` replaced, so that it is safe to show anywhere.
 */
export function snippetOf(text: string, terms: readonly Term[]): string | undefined {
  const head = text.slice(0, MAX_READ)
  const tokens = tokensOf(head)
  const marks = withoutOverlaps(placesOf(tokens, terms).map(([a, b]) => [tokens[a]!, tokens[b]!]))
  const [first, last] = densest(marks)
  if (!first || !last) return undefined
  const spare = Math.max(0, LENGTH - (last.end - first.start))
  const from = wordEdge(head, first.start - Math.ceil(spare / 3), first.start)
  const to = Math.max(last.end, wordEdge(head, from + LENGTH, head.length, true))
  return `${from > 0 ? '…' : ''}${highlight(head, marks, from, to)}${to < text.length ? '…' : ''}`
}

/** The beginning of a text without highlights, in the form of a snippet. */
export const plainSnippet = (text: string): string =>
  highlight(text, [], 0, wordEdge(text, LENGTH, text.length, true)) +
  (text.length > LENGTH ? '…' : '')

interface Mark {
  start: number
  end: number
}

/** Drops matches that overlap an earlier one. */
function withoutOverlaps(pairs: readonly [Token, Token][]): Mark[] {
  const marks: Mark[] = []
  for (const [{ start }, { end }] of pairs)
    if (start >= (marks.at(-1)?.end ?? 0)) marks.push({ start, end })
  return marks
}

/** The first and the last mark of the part with the most marks. */
function densest(marks: readonly Mark[]): [Mark?, Mark?] {
  let best: [number, number] = [0, 0]
  for (let from = 0, to = 0; from < marks.length; from++) {
    to = Math.max(to, from)
    while (to + 1 < marks.length && marks[to + 1]!.end - marks[from]!.start <= LENGTH) to++
    if (to - from > best[1] - best[0]) best = [from, to]
  }
  return [marks[best[0]], marks[best[1]]]
}

/** The nearest word boundary, but not beyond `limit`. */
function wordEdge(text: string, near: number, limit: number, isEnd = false): number {
  if (near <= 0) return 0
  if (near >= text.length) return text.length
  const space = isEnd ? text.lastIndexOf(' ', near) : text.indexOf(' ', near)
  return space < 0 || (!isEnd && space >= limit) ? Math.min(near, limit) : space + (isEnd ? 0 : 1)
}

function highlight(text: string, marks: readonly Mark[], from: number, to: number): string {
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
