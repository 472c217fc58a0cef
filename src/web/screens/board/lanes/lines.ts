import type { Lane } from './model.ts'

/** The most cards of a cell in one line. A lane shows so many until it is expanded. */
export const MAX_CARDS = 8

/** A row of the board: the head of a lane, or a part of its cards. An empty lane is only a head. */
export type Line = { key: string; lane: Lane; at: number } & (
  | { is: 'head'; isCollapsed: boolean }
  | { is: 'cards'; part: Part }
)

/** The cards that a line draws of each cell. */
export interface Part {
  /** The row of the first card. */
  first: number
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
    const lineCount = isBounded ? 1 : Math.max(1, Math.ceil(longest / MAX_CARDS))
    const parts = Array.from({ length: lineCount }, (_, index): Line => {
      const part = { first: index * MAX_CARDS, isBounded }
      return { key: `${key} ${index}`, lane, at, is: 'cards', part }
    })
    return [head, ...parts]
  })
}

/** The cards of a cell in a part, whether the cell ends there, and how many cards are not shown. */
export function partOf<T>(cards: readonly T[], { first, isBounded }: Part) {
  const end = first + MAX_CARDS
  const isEnd = isBounded || (cards.length <= end && (cards.length > first || first === 0))
  const hiddenCount = isBounded ? Math.max(0, cards.length - MAX_CARDS) : 0
  return { cards: cards.slice(first, end), isEnd, hiddenCount }
}

/** Whether a line draws a row of its lane. */
export const showsRow = (line: Line, row: number) =>
  line.is === 'cards' && line.part.first === row - (row % MAX_CARDS)
