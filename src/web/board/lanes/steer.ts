import type { Card, Column } from '../data.ts'
import type { LaidProps } from '../laid.tsx'
import type { LaneKind } from '../layouts.ts'
import type { Spot } from '../spot.ts'
import type { Steering, Way } from '../steering.ts'
import { type Lane, turnOf } from './model.ts'

/** Where a card stands: in which lane, in which column, and at which place of that cell. */
export interface Place {
  lane: number
  column: number
  row: number
}

/** In the lane that somebody was in, else in the first that it stands in. */
export function placeOf(
  lanes: readonly Lane[],
  active: number | undefined,
  near: string | undefined,
): Place | undefined {
  if (active === undefined) return undefined
  const first = lanes.findIndex(({ key }) => key === near)
  const order = [first, ...lanes.keys()]
  for (const lane of order)
    for (const [column, cards] of (lanes[lane]?.cells ?? []).entries()) {
      const row = cards.findIndex(({ task_id }) => task_id === active)
      if (row >= 0) return { lane, column, row }
    }
  return undefined
}

export interface Found {
  lane: string
  task_id: number
}

/** The next card that way: within its cell, then in the lanes above or below, or a column beside. */
export function neighbour(
  lanes: readonly Lane[],
  place: Place | undefined,
  { across, down }: Way,
): Found | undefined {
  const found = (lane: Lane, card: Card | undefined): Found | undefined =>
    card && { lane: lane.key, task_id: card.task_id }
  if (!place) {
    const lane = lanes.find(({ total }) => total)
    return lane && found(lane, lane.cells.find((cards) => cards.length)?.[0])
  }
  const { lane: at, column, row } = place
  const lane = lanes[at]!
  if (down) {
    const beside = found(lane, lane.cells[column]![row + down])
    for (let next = at + down; !beside && lanes[next]; next += down) {
      const cards = lanes[next]!.cells[column] ?? []
      if (cards.length) return found(lanes[next]!, cards.at(down > 0 ? 0 : -1))
    }
    return beside
  }
  for (let next = column + across; lane.cells[next]; next += across) {
    const cards = lane.cells[next]!
    if (cards.length) return found(lane, cards[Math.min(row, cards.length - 1)])
  }
  return undefined
}

interface Given extends Pick<LaidProps, 'shown' | 'onMove'> {
  kind: LaneKind
  lanes: readonly Lane[]
  /** Those that are shut too, which still take what is put down on them. */
  all: readonly Lane[]
  place: Place | undefined
  /** Somebody is in this lane now. */
  enter(lane: string): void
  add(lane: Lane, section_id: number): void
}

/** What keys and hands do on a board with lanes. */
export function steeringOf(given: Given): Steering {
  const { lanes, all, place, shown, onMove, kind, enter, add } = given
  return {
    step(way) {
      const next = neighbour(lanes, place, way)
      if (next) enter(next.lane)
      return next?.task_id
    },
    carry(card, across, down) {
      if (!place) return false
      const spot = across ? besideIn(given, place, across) : withinCell(given, place, down)
      if (spot) onMove([card.task_id], spot, true)
      if (spot || across) return spot !== undefined
      const [from, to] = [lanes[place.lane]!, lanes[place.lane + down]]
      if (!to) return false
      enter(to.key)
      const same = { section_id: card.section_id, above: undefined }
      onMove([card.task_id], same, true, turnOf(kind, from.key, to))
      return true
    },
    drop(ids, spot, { from, to }) {
      const lane = all.find(({ key }) => key === to)
      if (!spot || !lane) return
      enter(lane.key)
      if (from === to) return onMove(ids, atEndOf(given, lane, spot))
      onMove(ids, spot, false, turnOf(kind, from, lane))
    },
    create() {
      const { lane = 0, column = 0 } = place ?? {}
      const [row, section] = [lanes[lane], shown[column]]
      if (!row || !section) return false
      add(row, section.section_id)
    },
    turn: () => false,
  }
}

/** Below all of a cell is above what comes next in its column, which other lanes may have. */
function atEndOf({ shown }: Given, { cells }: Lane, spot: Spot): Spot {
  if (spot.above !== null) return spot
  const column = shown.findIndex(({ section_id }) => section_id === spot.section_id)
  const last = cells[column]?.at(-1)
  return last ? { ...spot, above: behind(shown[column]!, last) } : spot
}

const behind = ({ cards }: Column, card: Card) =>
  cards[cards.findIndex(({ task_id }) => task_id === card.task_id) + 1]?.task_id ?? null

/** In the column beside, at the same height of its lane. */
function besideIn({ lanes, shown }: Given, { lane, column, row }: Place, across: number) {
  const next = shown[column + across]
  if (!next) return undefined
  const cards = lanes[lane]!.cells[column + across]!
  const last = cards.at(-1)
  const above = cards[row]?.task_id ?? (last ? behind(next, last) : null)
  return { section_id: next.section_id, above }
}

function withinCell({ lanes, shown }: Given, { lane, column, row }: Place, down: number) {
  const cards = lanes[lane]!.cells[column]!
  const { section_id } = shown[column]!
  if (!cards[row + down]) return undefined
  if (down < 0) return { section_id, above: cards[row - 1]!.task_id }
  return { section_id, above: behind(shown[column]!, cards[row + 1]!) }
}
