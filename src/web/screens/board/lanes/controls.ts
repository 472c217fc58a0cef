import type { Card, Column } from '../../../entities/board/data.ts'
import type { Spot } from '../../../entities/board/spot.ts'
import type { LaneKind } from '../layout-address.ts'
import type { LayoutControls, Way } from '../layout-controls.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { type Lane, laneChangeOf } from './model.ts'

/** The position of a card: its lane, column and index in the cell. */
export interface Place {
  lane: number
  column: number
  row: number
}

/** Prefers the lane that was last active, as a card may be in several. */
export function placeOf(
  lanes: readonly Lane[],
  active: number | undefined,
  preferred: string | undefined,
): Place | undefined {
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
  place: Place | undefined,
  { across, down }: Way,
): LaneCard | undefined {
  const laneCard = (lane: Lane, card: Card | undefined): LaneCard | undefined =>
    card && { lane: lane.key, task_id: card.task_id }
  if (!place) {
    const lane = lanes.find(({ total }) => total)
    return lane && laneCard(lane, lane.cells.find((cards) => cards.length)?.[0])
  }
  const { lane: at, column, row } = place
  const lane = lanes[at]!
  if (down) {
    const beside = laneCard(lane, lane.cells[column]![row + down])
    for (let next = at + down; !beside && lanes[next]; next += down) {
      const cards = lanes[next]!.cells[column] ?? []
      if (cards.length) return laneCard(lanes[next]!, cards.at(down > 0 ? 0 : -1))
    }
    return beside
  }
  for (let next = column + across; lane.cells[next]; next += across) {
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
  place: Place | undefined
  /** Makes a lane the active one. */
  enter(lane: string): void
  add(lane: Lane, section_id: number): void
}

/** The controls of the swimlane layout. */
export function controlsOf(input: ControlsInput): LayoutControls {
  const { lanes, allLanes, place, shown, onMove, kind, enter, add } = input
  return {
    step(way) {
      const next = nextCard(lanes, place, way)
      if (next) enter(next.lane)
      return next?.task_id
    },
    carry(card, across, down) {
      if (!place) return false
      const spot = across ? spotInColumn(input, place, across) : spotInCell(input, place, down)
      if (spot) onMove([card.task_id], spot, true)
      if (spot || across) return spot !== undefined
      const [from, to] = [lanes[place.lane]!, lanes[place.lane + down]]
      if (!to) return false
      enter(to.key)
      const same = { section_id: card.section_id, above: undefined }
      onMove([card.task_id], same, true, laneChangeOf(kind, from.key, to))
      return true
    },
    drop(ids, spot, { from, to }) {
      const lane = allLanes.find(({ key }) => key === to)
      if (!spot || !lane) return
      enter(lane.key)
      if (from === to) return onMove(ids, endOfCell(input, lane, spot))
      onMove(ids, spot, false, laneChangeOf(kind, from, lane))
    },
    create() {
      const { lane = 0, column = 0 } = place ?? {}
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
function endOfCell({ shown }: ControlsInput, { cells }: Lane, spot: Spot): Spot {
  if (spot.above !== null) return spot
  const column = shown.findIndex(({ section_id }) => section_id === spot.section_id)
  const last = cells[column]?.at(-1)
  return last ? { ...spot, above: cardAfter(shown[column]!, last) } : spot
}

const cardAfter = ({ cards }: Column, card: Card) =>
  cards[cards.findIndex(({ task_id }) => task_id === card.task_id) + 1]?.task_id ?? null

/** The same row of the lane in the neighbouring column. */
function spotInColumn(
  { lanes, shown }: ControlsInput,
  { lane, column, row }: Place,
  across: number,
) {
  const next = shown[column + across]
  if (!next) return undefined
  const cards = lanes[lane]!.cells[column + across]!
  const last = cards.at(-1)
  const above = cards[row]?.task_id ?? (last ? cardAfter(next, last) : null)
  return { section_id: next.section_id, above }
}

function spotInCell({ lanes, shown }: ControlsInput, { lane, column, row }: Place, down: number) {
  const cards = lanes[lane]!.cells[column]!
  const { section_id } = shown[column]!
  if (!cards[row + down]) return undefined
  if (down < 0) return { section_id, above: cards[row - 1]!.task_id }
  return { section_id, above: cardAfter(shown[column]!, cards[row + 1]!) }
}
