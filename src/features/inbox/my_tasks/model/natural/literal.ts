import type { Part } from './schema.ts'

/** Masks words of a line without moving others: literals before parsing, parts once recognized. */

/** The mask of a recognized part: neither a word nor a blank. */
const TAKEN = '\ue000'
/** The mask of a repeat phrase, next to which a time needs no preposition. */
const REPEAT = '\ue001'

/** Quoted text, words escaped with a backslash, and URLs. */
const LITERAL = /"[^"]*"|“[^”]*”|(?<=^|\s)\\[#!@~]\S*|\b[a-z][a-z+.-]*:\/\/\S+/gi

/** Replaces literals with letters of the same length. */
export const withoutLiterals = (line: string) =>
  line.replace(/[\ue000\ue001]/g, 'x').replace(LITERAL, (literal) => 'x'.repeat(literal.length))

/** A piece of a line. */
export type Span = Omit<Part, 'means'>

/** Masks a piece of the line, so that nothing else matches there. */
export const maskPart = (line: string, { from, to }: Omit<Span, 'text'>) =>
  line.slice(0, from) + 'x'.repeat(to - from) + line.slice(to)

export const removePart = (line: string, { from, to, means }: Omit<Part, 'text'>) =>
  line.slice(0, from) + (means === 'recurrence' ? REPEAT : TAKEN).repeat(to - from) + line.slice(to)

const OPEN = /(?:[\s,;:]|(?<=\s)[-–—])+$/
const CLOSED = /^(?:[\s,;:]|[-–—](?=\s))+/

/** The title: the line without recognized parts and without escaping backslashes. */
export function titleOf(line: string, parts: readonly Part[]): string {
  const sorted = [...parts].sort((a, b) => a.from - b.from)
  const left = sorted.map(({ from }, at) => line.slice(sorted[at - 1]?.to ?? 0, from))
  left.push(line.slice(sorted.at(-1)?.to ?? 0))
  const title = left
    .map((piece) => piece.replace(/(?<=^|\s)\\(?=[#!@~])/g, ''))
    .reduce(closed)
    .trim()
  const opens = sorted[0]?.from === line.search(/\S/)
  const closes = sorted.at(-1)?.to === line.trimEnd().length
  const opened = opens ? title.replace(CLOSED, '') : title
  return closes ? opened.replace(OPEN, '') : opened
}

/** Joins the text around a removed part, without the blank or the brackets that enclosed it. */
function closed(before: string, after: string): string {
  if (before.endsWith('(') && after.startsWith(')'))
    return closed(before.slice(0, -1), after.slice(1))
  if (/^[,.;:!?)]/.test(after)) return before.trimEnd() + after
  return /\s$|\($/.test(before) ? before + after.trimStart() : before + after
}
