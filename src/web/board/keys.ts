import { type RefObject, useCallback, useEffectEvent, useMemo, useRef, useState } from 'react'
import { ON_BOARD, useShortcuts } from '../frame/keys.ts'
import type { Card, Column } from './data.ts'
import type { Layout } from './look.ts'
import type { Spot } from './moves.ts'

/** The card that the focus is to go to, until it has. */
export type Want = RefObject<number | undefined>

/** What the letters change of the cards. */
export type What = 'column' | 'priority' | 'label' | 'assign' | 'due' | 'size'

interface Deeds {
  open(card: Card): void
  add(section_id: number | undefined): void
  move(ids: readonly number[], spot: Spot): void
  change(what: What, ids: readonly number[]): void
  filter(): void
}

export interface Click {
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
}

/** Which card the keys are about, which ones are chosen, and what the keys do. */
export function useKeys(columns: readonly Column[], layout: Layout, deeds: Deeds) {
  const [active, setActive] = useState<number>()
  const want = useRef<number>(undefined)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(NONE)
  const origin = useRef<number>(undefined)
  const place = useMemo(() => placeOf(columns, active), [columns, active])
  const card = place && columns[place.column]!.cards[place.row]
  const follow = (task_id: number) => {
    want.current = task_id
    setActive(task_id)
  }
  const step = (across: number, down: number) => {
    const next = neighbour(columns, layout, place, across, down)
    if (next) follow(next.task_id)
    return next
  }
  const carry = (across: number, down: number) => {
    const spot = card && spotBeside(columns, place!, across, down)
    if (!spot) return false
    deeds.move([card.task_id], spot)
    follow(card.task_id)
  }
  const turn = (task_id: number) => {
    const next = new Set(chosen)
    if (!next.delete(task_id)) next.add(task_id)
    setChosen(next)
    origin.current = task_id
  }
  const extend = (down: number) => {
    const next = step(0, down)
    setChosen(new Set([...chosen, ...[card, next].flatMap((one) => one?.task_id ?? [])]))
  }
  const change = (what: What) => () => {
    const ids = chosen.size ? [...chosen] : card ? [card.task_id] : []
    return ids.length ? deeds.change(what, ids) : false
  }
  const leave = () => {
    if (chosen.size) return setChosen(NONE)
    if (active === undefined) return false
    setActive(undefined)
  }
  useShortcuts(ON_BOARD, {
    next: () => void step(0, 1),
    back: () => void step(0, -1),
    right: () => void step(1, 0),
    left: () => void step(-1, 0),
    carry: ({ key }) => carry(...WAYS[key]!),
    open: () => (card ? deeds.open(card) : false),
    choose: () => (card ? turn(card.task_id) : false),
    extend: ({ key }) => extend(key.toLowerCase() === 'k' ? -1 : 1),
    create: () => deeds.add(columns[place?.column ?? 0]?.section_id),
    filter: deeds.filter,
    column: change('column'),
    assign: change('assign'),
    label: change('label'),
    priority: change('priority'),
    due: change('due'),
    size: change('size'),
    leave,
  })
  /** With a key held a click chooses; true where it did. */
  const clicked = useEffectEvent(({ task_id }: Card, { shiftKey, ctrlKey, metaKey }: Click) => {
    const from = origin.current ?? active
    setActive(task_id)
    if (shiftKey) setChosen(new Set([...chosen, ...between(columns, from, task_id)]))
    else if (ctrlKey || metaKey) turn(task_id)
    else return false
    return true
  })
  return {
    ...{ active, want, chosen, setActive },
    click: useCallback((one: Card, event: Click) => clicked(one, event), []),
    clear: useCallback(() => setChosen(NONE), []),
  }
}

const NONE: ReadonlySet<number> = new Set()
const WAYS: Record<string, [number, number]> = {
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
}

interface Place {
  column: number
  row: number
}

function placeOf(columns: readonly Column[], active: number | undefined): Place | undefined {
  if (active === undefined) return undefined
  for (const [column, { cards }] of columns.entries()) {
    const row = cards.findIndex(({ task_id }) => task_id === active)
    if (row >= 0) return { column, row }
  }
  return undefined
}

/** All from one card to another, as they stand. */
function between(columns: readonly Column[], from: number | undefined, to: number): number[] {
  const ids = columns.flatMap(({ cards }) => cards.map(({ task_id }) => task_id))
  const ends = [ids.indexOf(from ?? to), ids.indexOf(to)].sort((a, b) => a - b)
  return ends[0]! < 0 ? [to] : ids.slice(ends[0], ends[1]! + 1)
}

/** The next card that way; empty columns are passed over. */
function neighbour(
  columns: readonly Column[],
  layout: Layout,
  place: Place | undefined,
  across: number,
  down: number,
): Card | undefined {
  if (!place) return columns.find(({ cards }) => cards.length)?.cards[0]
  const beside = down ? columns[place.column]!.cards[place.row + down] : undefined
  if (beside || (down && layout === 'board')) return beside
  const way = across || down
  for (let at = place.column + way; columns[at]; at += way) {
    const { cards } = columns[at]!
    if (!cards.length) continue
    if (down) return cards.at(down > 0 ? 0 : -1)
    return cards[layout === 'list' ? 0 : Math.min(place.row, cards.length - 1)]
  }
  return undefined
}

function spotBeside(
  columns: readonly Column[],
  { column, row }: Place,
  across: number,
  down: number,
): Spot | undefined {
  const { section_id, cards } = columns[column + across] ?? {}
  if (section_id === undefined) return undefined
  if (across) return { section_id, above: cards![row]?.task_id ?? null }
  if (down < 0 && row === 0) return undefined
  if (down > 0 && row === cards!.length - 1) return undefined
  const above = cards![down < 0 ? row - 1 : row + 2]
  return { section_id, above: above?.task_id ?? null }
}
