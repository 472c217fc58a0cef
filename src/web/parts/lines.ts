import { diffWordsWithSpace, structuredPatch } from 'diff'

/** A stretch where two texts differ, with some lines around it. */
export interface Hunk {
  old_start: number
  old_lines: number
  new_start: number
  new_lines: number
  /** Each after a blank, - or +. */
  lines: readonly string[]
}

/** Some words of a line; marked where the other text does not have them. */
export interface Piece {
  words: string
  marked: boolean
}

/** What stands beside each other: one line of both texts, or of one of them. */
export interface Row {
  was?: readonly Piece[]
  is?: readonly Piece[]
  /** The same in both. */
  same?: string
}

const CONTEXT = 3
/** Looking for what two texts share takes time that grows with the square of it. */
const MOST_EDITS = 2000
/** Lines that share less than this are two lines, not one that was changed. */
const ALIKE = 0.35
const LONGEST = 4000

const ended = (text: string) => (text.endsWith('\n') ? text : `${text}\n`)
export const linesOf = (text: string): string[] => ended(text).split('\n').slice(0, -1)

/** How two texts differ, in the same shape as the server tells it of pages. */
export function hunksOf(before: string, after: string): Hunk[] {
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS }
  const patch = structuredPatch('', '', ended(before), ended(after), '', '', options)
  if (!patch) return [wholly(linesOf(before), linesOf(after))]
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    ...{
      old_start: oldStart,
      old_lines: oldLines,
      new_start: newStart,
      new_lines: newLines,
      lines,
    },
  }))
}

const wholly = (before: readonly string[], after: readonly string[]): Hunk => ({
  ...{ old_start: 1, old_lines: before.length, new_start: 1, new_lines: after.length },
  lines: [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)],
})

/** The lines of a hunk beside each other: a line that was changed beside what it became. */
export function rowsOf({ lines }: Pick<Hunk, 'lines'>): Row[] {
  const rows: Row[] = []
  let was: string[] = []
  let is: string[] = []
  const flush = () => {
    rows.push(...besides(was, is))
    was = []
    is = []
  }
  for (const line of lines) {
    const text = line.slice(1)
    if (line.startsWith('-')) was.push(text)
    else if (line.startsWith('+')) is.push(text)
    else {
      flush()
      rows.push({ same: text })
    }
  }
  flush()
  return rows
}

const besides = (was: readonly string[], is: readonly string[]): Row[] =>
  Array.from({ length: Math.max(was.length, is.length) }, (_, at) => besideOf(was[at], is[at]))

const plain = (words: string): Piece[] => [{ words, marked: false }]

function besideOf(was: string | undefined, is: string | undefined): Row {
  if (was === undefined) return { is: plain(is!) }
  if (is === undefined) return { was: plain(was) }
  const [less, more] = wordsIn(was, is)
  return { was: less, is: more }
}

/** Which words of a line are not in what it became, and the other way round. */
function wordsIn(was: string, is: string): [readonly Piece[], readonly Piece[]] {
  if (was.length + is.length > LONGEST) return [plain(was), plain(is)]
  const changes = diffWordsWithSpace(was, is)
  const same = changes.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.trim().length),
    0,
  )
  if (same < ALIKE * Math.max(was.trim().length, is.trim().length)) return [plain(was), plain(is)]
  const of = (hidden: 'added' | 'removed') =>
    changes
      .filter((one) => !one[hidden])
      .map(({ value, added, removed }) => ({ words: value, marked: added || removed }))
  return [of('added'), of('removed')]
}

/** How many lines came and went. */
export function countsOf(hunks: readonly Hunk[]): { more: number; less: number } {
  const lines = hunks.flatMap((one) => one.lines)
  const beginning = (mark: string) => lines.filter((line) => line.startsWith(mark)).length
  return { more: beginning('+'), less: beginning('-') }
}
