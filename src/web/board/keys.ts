import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { ON_BOARD, useShortcuts } from '../frame/keys.ts'
import type { Card, Column } from './data.ts'
import type { Layout } from './layouts.ts'
import type { Spot } from './spot.ts'
import type { Helm } from './steering.ts'
import type { Want } from './want.ts'

/** What the letters change of the cards. */
export type What = 'column' | 'priority' | 'label' | 'assign' | 'due' | 'size'

interface Deeds {
  open(card: Card): void
  /** False: what is marked is copied instead. */
  copy(card: Card): boolean
  add(section_id: number | undefined): unknown
  move(ids: readonly number[], spot: Spot, isStep?: boolean): void
  change(what: What, ids: readonly number[]): void
  filter(): void
  /** As a board, a list, swimlanes, a calendar or a timeline. */
  lay(digit: string): void
  timer(card: Card): void
}

export interface Click {
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
}

/** Which card the keys are about, which ones are chosen, and what the keys do. */
export function useKeys(columns: readonly Column[], layout: Layout, helm: Helm, deeds: Deeds) {
  const at = useActive(columns, layout, helm)
  const { active, want, place, card, setActive, follow, reveal, step } = at
  const { chosen, turn, clear, ...choice } = useChosen(columns, at)
  const carry = (across: number, down: number) => {
    if (!card) return false
    if (helm.current) return helm.current.carry(card, across, down) && follow(card.task_id)
    const spot = spotBeside(columns, place!, across, down)
    if (!spot) return false
    deeds.move([card.task_id], spot, true)
    follow(card.task_id)
  }
  const change = (what: What) => () => {
    const ids = chosen.size ? [...chosen] : card ? [card.task_id] : []
    return ids.length ? deeds.change(what, ids) : false
  }
  const addHere = () => deeds.add(columns[place?.column ?? 0]?.section_id)
  const leave = () => {
    if (chosen.size) return clear()
    if (active === undefined) return false
    setActive(undefined)
  }
  useShortcuts(ON_BOARD, {
    next: ({ key }) => void step(0, 1, key in ARROWS),
    back: ({ key }) => void step(0, -1, key in ARROWS),
    right: () => void step(1, 0, true),
    left: () => void step(-1, 0, true),
    carry: ({ key }) => carry(...ARROWS[key]!),
    open: () => (card ? deeds.open(card) : false),
    copy: () => (card ? deeds.copy(card) : false),
    choose: () => (card ? turn(card.task_id) : false),
    extend: ({ key }) => choice.extend(key.toLowerCase() === 'k' ? -1 : 1),
    all: choice.all,
    create: () => (helm.current ?? { create: addHere }).create(),
    earlier: () => helm.current?.turn(-1) ?? false,
    later: () => helm.current?.turn(1) ?? false,
    today: () => helm.current?.turn(0) ?? false,
    layout: ({ key }) => deeds.lay(key),
    filter: deeds.filter,
    column: change('column'),
    assign: change('assign'),
    label: change('label'),
    priority: change('priority'),
    due: change('due'),
    size: change('size'),
    timer: () => (card && card.task_id > 0 ? deeds.timer(card) : false),
    leave,
  })
  return { active, want, chosen, setActive, reveal, turn, clear, click: choice.click }
}

/** The card that the keys are at, and how they go to another. */
function useActive(columns: readonly Column[], layout: Layout, helm: Helm) {
  const [active, setActive] = useState<number>()
  const want: Want = useRef<number>(undefined)
  /** Where a choice begins that a click with Shift ends. */
  const origin = useRef<number>(undefined)
  const place = useMemo(() => placeOf(columns, active), [columns, active])
  const card = place && columns[place.column]!.cards[place.row]
  const follow = (task_id: number) => {
    want.current = task_id
    want.isQuiet = false
    origin.current = task_id
    setActive(task_id)
  }
  const reveal = (task_id: number) => {
    want.current = task_id
    want.isQuiet = true
    setActive(task_id)
  }
  const step = (across: number, down: number, isArrow: boolean) => {
    const next = helm.current
      ? helm.current.step({ across, down, isArrow })
      : neighbour(columns, layout, place, across, down)?.task_id
    if (next !== undefined) follow(next)
    return next
  }
  const at = { active, want, origin, place, card, setActive, follow, reveal, step }
  useKept(columns, at)
  return at
}
type At = ReturnType<typeof useActive>

/** Where a card that goes had the keys or the focus, the one that takes its place has them. */
function useKept(columns: readonly Column[], { active, place, setActive, follow }: At) {
  const last = useRef<Place>(undefined)
  const focused = useRef<Element>(undefined)
  useEffect(() => {
    const heard = ({ target }: Event) => {
      const isHere = target instanceof Element && target.closest('.board, .lines, .days, .bulk')
      focused.current = isHere ? target : undefined
    }
    document.addEventListener('focusin', heard)
    return () => document.removeEventListener('focusin', heard)
  }, [])
  useEffect(() => {
    const isLost =
      focused.current?.isConnected === false && document.activeElement === document.body
    const { column, row } = place ?? last.current ?? { column: 0, row: 0 }
    last.current = { column, row }
    if (active === undefined || (place && !isLost)) return
    const cards = columns[column]?.cards ?? []
    const next = cards[Math.min(row, cards.length - 1)]
    if (next && isLost) follow(next.task_id)
    else setActive(next?.task_id)
  })
}

/** The cards that are chosen, of those that are shown. */
function useChosen(columns: readonly Column[], { origin, card, setActive, step }: At) {
  const [wanted, setChosen] = useState<ReadonlySet<number>>(NONE)
  const chosen = useMemo(() => (wanted.size ? shownOf(columns, wanted) : NONE), [columns, wanted])
  const turn = useEffectEvent((task_id: number) => {
    const next = new Set(chosen)
    if (!next.delete(task_id)) next.add(task_id)
    setChosen(next)
    origin.current = task_id
  })
  const extend = (down: number) => {
    const next = step(0, down, false)
    setChosen(new Set([...chosen, ...[card?.task_id, next].flatMap((one) => one ?? [])]))
  }
  /** With a key held a click chooses; true where it did. */
  const clicked = useEffectEvent(({ task_id }: Card, { shiftKey, ctrlKey, metaKey }: Click) => {
    setActive(task_id)
    origin.current ??= task_id
    if (shiftKey) setChosen(new Set([...chosen, ...between(columns, origin.current, task_id)]))
    else if (ctrlKey || metaKey) turn(task_id)
    else return false
    return true
  })
  return {
    ...{ chosen, extend },
    all: () => setChosen(new Set(columns.flatMap(({ cards }) => cards.map(idOf)))),
    turn: useCallback((task_id: number) => turn(task_id), []),
    click: useCallback((one: Card, event: Click) => clicked(one, event), []),
    clear: useCallback(() => setChosen(NONE), []),
  }
}

const idOf = ({ task_id }: Card) => task_id

/** The same set as long as all of it is there. */
function shownOf(columns: readonly Column[], wanted: ReadonlySet<number>): ReadonlySet<number> {
  const there = columns.flatMap(({ cards }) => cards.map(idOf)).filter((id) => wanted.has(id))
  return there.length === wanted.size ? wanted : new Set(there)
}

const NONE: ReadonlySet<number> = new Set()
const ARROWS: Record<string, [number, number]> = {
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
function between(columns: readonly Column[], from: number, to: number): number[] {
  const ids = columns.flatMap(({ cards }) => cards.map(({ task_id }) => task_id))
  const ends = [ids.indexOf(from), ids.indexOf(to)].sort((a, b) => a - b)
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
