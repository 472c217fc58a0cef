import type { Lane } from './model.ts'

/** The most cards of a cell that a lane shows until it is expanded. They are in one line. */
export const MAX_CARDS = 8
/** The cards of a cell in each line of an expanded lane. A line that is partly visible is drawn. */
const CARDS_PER_LINE = 3

/** A row of the board: the head of a lane, or a part of its cards. An empty lane is only a head. */
export type Line = { key: string; lane: Lane; at: number } & (
  | { is: 'head'; isCollapsed: boolean }
  | { is: 'cards'; part: Part }
)

/** The cards that a line draws of each cell. */
export interface Part {
  /** The row of the first card, and the row after the last one. */
  first: number
  end: number
  /** The lane has more cards than it shows. */
  isBounded: boolean
}

const longestCell = ({ cells }: Lane) => Math.max(...cells.map((cards) => cards.length), 0)

interface LaneState {
  collapsed: ReadonlySet<string>
  /** The lanes that show all of their cards. */
  expanded: ReadonlySet<string>
  /** The lane with the field for a new task. */
  newTaskLane: string | undefined
}

export function linesOf(
  lanes: readonly Lane[],
  { collapsed, expanded, newTaskLane }: LaneState,
): Line[] {
  return lanes.flatMap((lane, at) => {
    const { key, total } = lane
    const isOnlyHead = collapsed.has(key) || !(total || newTaskLane === key)
    const head: Line = { key: `head ${key}`, lane, at, is: 'head', isCollapsed: isOnlyHead }
    if (isOnlyHead) return [head]
    const longest = longestCell(lane)
    const isBounded = longest > MAX_CARDS && !expanded.has(key)
    const lines = partsOf(longest, isBounded).map((part): Line => {
      return { key: `${key} ${part.first}`, lane, at, is: 'cards', part }
    })
    return [head, ...lines]
  })
}

function partsOf(longest: number, isBounded: boolean): Part[] {
  if (isBounded || longest <= MAX_CARDS) return [{ first: 0, end: MAX_CARDS, isBounded }]
  return Array.from({ length: Math.ceil(longest / CARDS_PER_LINE) }, (_, at) => {
    const first = at * CARDS_PER_LINE
    return { first, end: first + CARDS_PER_LINE, isBounded }
  })
}

/** The cards of a cell in a part, whether the cell ends there, and how many cards are not shown. */
export function partOf<T>(cards: readonly T[], { first, end, isBounded }: Part) {
  const isEnd = isBounded || (cards.length <= end && (cards.length > first || first === 0))
  const hiddenCount = isBounded ? Math.max(0, cards.length - MAX_CARDS) : 0
  return { cards: cards.slice(first, end), isEnd, hiddenCount }
}

/** Whether a line draws a row of its lane. */
export const showsRow = (line: Line, row: number) =>
  line.is === 'cards' && line.part.first <= row && row < line.part.end
