import { plain } from '../table.ts'

/** Such as: 1 task, 2 tasks, 3 time entries. */
export const count = (number: number, noun: string): string => {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${number} ${number === 1 ? noun : plural}`
}

const MAX_LINES = 20

/** A heading with lines below it; nothing if there are none. Long lists are cut. */
export function section(heading: string, lines: readonly string[]): string[] {
  if (!lines.length) return []
  const shown = lines.slice(0, MAX_LINES).map((line) => `  ${plain(line)}`)
  const extra = lines.length - shown.length
  return ['', heading, ...shown, ...(extra ? [`  and ${extra} more (all are in --json)`] : [])]
}
