import type { Card, Column } from '../../../entities/board/data.ts'
import type { Placement } from '../../../entities/board/placement.ts'
import type { LaneKind } from '../layout-address.ts'
import type { Direction, LayoutControls } from '../layout-controls.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { type Lane, laneChangeOf } from './model.ts'

/** The position of a card: its lane, column and index in the cell. */
export interface LanePosition {
  lane: number
  column: number
  row: number
}

/** Prefers the lane that was last active, as a card may be in several. */
export function lanePositionOf(
  lanes: readonly Lane[],
  active: number | undefined,
  preferred: string | undefined,
): LanePosition | undefined {
  if (active === undefined) return undefined
  const first = lanes.findIndex(({ key }) => key === preferred)
  const order = [first, ...lanes.keys()]
  for (const lane of order)
    for (const [column, cards] of (lanes[lane]?.cells ?? []).entries()) {
      const row = cards.findIndex(({ task_id }) => task_id === active)
      if (row >= 0) return { lane, column, row }
    }
  return undefined
}

export interface LaneCard {
  lane: string
  task_id: number
}

/**
 * The next card in a direction: within its cell, in the lanes above or below, or in the next
 * column.
 */
export function nextCard(
  lanes: readonly Lane[],
  lanePosition: LanePosition | undefined,
  { dx, dy }: Direction,
): LaneCard | undefined {
  const laneCard = (lane: Lane, card: Card | undefined): LaneCard | undefined =>
    card && { lane: lane.key, task_id: card.task_id }
  if (!lanePosition) {
    const lane = lanes.find(({ total }) => total)
    return lane && laneCard(lane, lane.cells.find((cards) => cards.length)?.[0])
  }
  const { lane: at, column, row } = lanePosition
  const lane = lanes[at]!
  if (dy) {
    const neighbour = laneCard(lane, lane.cells[column]![row + dy])
    for (let next = at + dy; !neighbour && lanes[next]; next += dy) {
      const cards = lanes[next]!.cells[column] ?? []
      if (cards.length) return laneCard(lanes[next]!, cards.at(dy > 0 ? 0 : -1))
    }
    return neighbour
  }
  for (let next = column + dx; lane.cells[next]; next += dx) {
    const cards = lane.cells[next]!
    if (cards.length) return laneCard(lane, cards[Math.min(row, cards.length - 1)])
  }
  return undefined
}

interface ControlsInput extends Pick<BoardLayoutProps, 'shown' | 'onMove'> {
  kind: LaneKind
  lanes: readonly Lane[]
  /** All lanes including collapsed ones, which still accept drops. */
  allLanes: readonly Lane[]
  lanePosition: LanePosition | undefined
  /** Makes a lane the active one. */
  activateLane(lane: string): void
  add(lane: Lane, section_id: number): void
}

/** The controls of the swimlane layout. */
export function controlsOf(input: ControlsInput): LayoutControls {
  const { lanes, allLanes, lanePosition, shown, onMove, kind, activateLane, add } = input
  return {
    step(direction) {
      const next = nextCard(lanes, lanePosition, direction)
      if (next) activateLane(next.lane)
      return next?.task_id
    },
    moveByKeys(card, dx, dy) {
      if (!lanePosition) return false
      const placement = dx
        ? placementInColumn(input, lanePosition, dx)
        : placementInCell(input, lanePosition, dy)
      if (placement) onMove([card.task_id], placement, true)
      if (placement || dx) return placement !== undefined
      const [from, to] = [lanes[lanePosition.lane]!, lanes[lanePosition.lane + dy]]
      if (!to) return false
      activateLane(to.key)
      const same = { section_id: card.section_id, above_task_id: undefined }
      onMove([card.task_id], same, true, laneChangeOf(kind, from.key, to))
      return true
    },
    drop(ids, placement, { from, to }) {
      const lane = allLanes.find(({ key }) => key === to)
      if (!placement || !lane) return
      activateLane(lane.key)
      if (from === to) return onMove(ids, endOfCell(input, lane, placement))
      onMove(ids, placement, false, laneChangeOf(kind, from, lane))
    },
    create() {
      const { lane = 0, column = 0 } = lanePosition ?? {}
      const [row, section] = [lanes[lane], shown[column]]
      if (!row || !section) return false
      add(row, section.section_id)
    },
    changePeriod: () => false,
  }
}

/**
 * The end of a cell: above the card that follows its last card in the column, which may be in
 * another lane.
 */
function endOfCell({ shown }: ControlsInput, { cells }: Lane, placement: Placement): Placement {
  if (placement.above_task_id !== null) return placement
  const column = shown.findIndex(({ section_id }) => section_id === placement.section_id)
  const last = cells[column]?.at(-1)
  return last ? { ...placement, above_task_id: cardAfter(shown[column]!, last) } : placement
}

const cardAfter = ({ cards }: Column, card: Card) =>
  cards[cards.findIndex(({ task_id }) => task_id === card.task_id) + 1]?.task_id ?? null

/** The same row of the lane in the neighbouring column. */
function placementInColumn(
  { lanes, shown }: ControlsInput,
  { lane, column, row }: LanePosition,
  dx: number,
) {
  const next = shown[column + dx]
  if (!next) return undefined
  const cards = lanes[lane]!.cells[column + dx]!
  const last = cards.at(-1)
  const above_task_id = cards[row]?.task_id ?? (last ? cardAfter(next, last) : null)
  return { section_id: next.section_id, above_task_id }
}

function placementInCell(
  { lanes, shown }: ControlsInput,
  { lane, column, row }: LanePosition,
  dy: number,
) {
  const cards = lanes[lane]!.cells[column]!
  const { section_id } = shown[column]!
  if (!cards[row + dy]) return undefined
  if (dy < 0) return { section_id, above_task_id: cards[row - 1]!.task_id }
  return { section_id, above_task_id: cardAfter(shown[column]!, cards[row + 1]!) }
}
