import type { Part } from './schema.ts'

/** Which words of a line may mean something, and which were taken; all stay in their places. */

/** Stands for what was taken already: neither a word nor a blank. */
const TAKEN = '\ue000'
/** The same for the words of a repeat, next to which a time needs no word before it. */
const REPEAT = '\ue001'

/** Quotes, what a backslash keeps from being a mark, and addresses. */
const LITERAL = /"[^"]*"|“[^”]*”|(?<=^|\s)\\[#!@]\S*|\b[a-z][a-z+.-]*:\/\/\S+/gi

/** The line with letters in place of what is meant as it stands. */
export const withoutLiterals = (line: string) =>
  line.replace(/[\ue000\ue001]/g, 'x').replace(LITERAL, (literal) => 'x'.repeat(literal.length))

export const without = (line: string, { from, to, means }: Omit<Part, 'text'>) =>
  line.slice(0, from) + (means === 'recurrence' ? REPEAT : TAKEN).repeat(to - from) + line.slice(to)

const OPEN = /(?:[\s,;:]|(?<=\s)[-–—])+$/
const CLOSED = /^(?:[\s,;:]|[-–—](?=\s))+/

/** What is left of the line; marks that a backslash kept come without it. */
export function titleOf(line: string, parts: readonly Part[]): string {
  const sorted = [...parts].sort((a, b) => a.from - b.from)
  const left = sorted.map(({ from }, at) => line.slice(sorted[at - 1]?.to ?? 0, from))
  left.push(line.slice(sorted.at(-1)?.to ?? 0))
  const title = left
    .map((piece) => piece.replace(/(?<=^|\s)\\(?=[#!@])/g, ''))
    .reduce(closed)
    .trim()
  const opens = sorted[0]?.from === line.search(/\S/)
  const closes = sorted.at(-1)?.to === line.trimEnd().length
  const opened = opens ? title.replace(CLOSED, '') : title
  return closes ? opened.replace(OPEN, '') : opened
}

/** Both sides of what was taken, without the blank, or the brackets, that stood around it. */
function closed(one: string, other: string): string {
  if (one.endsWith('(') && other.startsWith(')')) return closed(one.slice(0, -1), other.slice(1))
  if (/^[,.;:!?)]/.test(other)) return one.trimEnd() + other
  return /\s$|\($/.test(one) ? one + other.trimStart() : one + other
}
