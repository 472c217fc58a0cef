import { diffWordsWithSpace, structuredPatch } from 'diff'

/** A region where two texts differ, with some unchanged lines around it. */
export interface Hunk {
  old_start: number
  old_lines: number
  new_start: number
  new_lines: number
  /** Each line starts with a space, - or +. */
  lines: readonly string[]
}

/** Part of a line; marked if the other text does not have it. */
export interface Piece {
  text: string
  isMarked: boolean
}

/** A row of the side-by-side view: a line of both texts, or of one of them. */
export interface Row {
  before?: readonly Piece[]
  after?: readonly Piece[]
  /** The line that both texts have. */
  same?: string
}

const CONTEXT = 3
/** The time of a diff grows with the square of the number of edits. */
const MAX_EDITS = 2000
/** Lines with less in common than this share count as removed and added, not as changed. */
const MIN_SIMILARITY = 0.35
const MAX_COMPARED_LENGTH = 4000

const withFinalNewline = (text: string) => (text.endsWith('\n') ? text : `${text}\n`)
export const linesOf = (text: string): string[] => withFinalNewline(text).split('\n').slice(0, -1)

/** The difference of two texts, in the shape in which the server returns that of pages. */
export function hunksOf(before: string, after: string): Hunk[] {
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS }
  const patch = structuredPatch(
    '',
    '',
    withFinalNewline(before),
    withFinalNewline(after),
    '',
    '',
    options,
  )
  if (!patch) return [replacingAll(linesOf(before), linesOf(after))]
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

const replacingAll = (before: readonly string[], after: readonly string[]): Hunk => ({
  ...{ old_start: 1, old_lines: before.length, new_start: 1, new_lines: after.length },
  lines: [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)],
})

/** The rows of a hunk: a changed line is beside its new version. */
export function rowsOf({ lines }: Pick<Hunk, 'lines'>): Row[] {
  const rows: Row[] = []
  let removed: string[] = []
  let added: string[] = []
  const flush = () => {
    rows.push(...pairLines(removed, added))
    removed = []
    added = []
  }
  for (const line of lines) {
    const text = line.slice(1)
    if (line.startsWith('-')) removed.push(text)
    else if (line.startsWith('+')) added.push(text)
    else {
      flush()
      rows.push({ same: text })
    }
  }
  flush()
  return rows
}

const pairLines = (removed: readonly string[], added: readonly string[]): Row[] =>
  Array.from({ length: Math.max(removed.length, added.length) }, (_, at) =>
    pairOf(removed[at], added[at]),
  )

const unmarked = (text: string): Piece[] => [{ text, isMarked: false }]

function pairOf(before: string | undefined, after: string | undefined): Row {
  if (before === undefined) return { after: unmarked(after!) }
  if (after === undefined) return { before: unmarked(before) }
  const [beforePieces, afterPieces] = markChanges(before, after)
  return { before: beforePieces, after: afterPieces }
}

/** Marks the words of a changed line that only one of its two versions has. */
function markChanges(before: string, after: string): [readonly Piece[], readonly Piece[]] {
  if (before.length + after.length > MAX_COMPARED_LENGTH) return [unmarked(before), unmarked(after)]
  const changes = diffWordsWithSpace(before, after)
  const same = changes.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.trim().length),
    0,
  )
  if (same < MIN_SIMILARITY * Math.max(before.trim().length, after.trim().length))
    return [unmarked(before), unmarked(after)]
  const piecesWithout = (hidden: 'added' | 'removed') =>
    changes
      .filter((change) => !change[hidden])
      .map(({ value, added, removed }) => ({ text: value, isMarked: added || removed }))
  return [piecesWithout('added'), piecesWithout('removed')]
}

/** The number of added and removed lines. */
export function countsOf(hunks: readonly Hunk[]): { added: number; removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const countWith = (mark: string) => lines.filter((line) => line.startsWith(mark)).length
  return { added: countWith('+'), removed: countWith('-') }
}
