import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Card, Column } from '../../entities/board/data.ts'
import type { Placement } from '../../entities/board/placement.ts'
import { useShortcuts } from '../../kit/shortcuts.ts'
import { focusFirstChip } from './card/chip-focus.ts'
import { useMarquee } from './drag/use-marquee.ts'
import type { FocusTarget } from './focus-target.ts'
import type { Layout } from './layout-address.ts'
import type { LayoutControlsRef } from './layout-controls.ts'
import { ON_BOARD } from './shortcuts.ts'

/** The fields that shortcuts edit. */
export type EditableField = 'column' | 'priority' | 'label' | 'assign' | 'due' | 'size'

interface KeyActions {
  open(card: Card): void
  /** Returns false to let the browser copy selected text instead. */
  copy(card: Card): boolean
  add(section_id: number | undefined): unknown
  move(ids: readonly number[], placement: Placement, isStep?: boolean): void
  change(what: EditableField, ids: readonly number[]): void
  filter(): void
  /** Switches the layout: board, list, swimlanes, calendar or timeline. */
  switchLayout(digit: string): void
  timer(card: Card): void
}

export interface Click {
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
}

/** The active card, the selection and the shortcuts of a board. */
export function useKeys(
  columns: readonly Column[],
  layout: Layout,
  controls: LayoutControlsRef,
  actions: KeyActions,
) {
  const focus = useActive(columns, layout, controls)
  const { active, focusTarget, gridPosition, card, setActive, reveal } = focus
  const selection = useSelection(columns, focus)
  const { selectedIds, toggle, clear, click } = selection
  const moveActive = (dx: number, dy: number) => {
    if (!card) return false
    if (controls.current)
      return controls.current.moveByKeys(card, dx, dy) && focus.follow(card.task_id)
    const placement = placementBeside(columns, gridPosition!, dx, dy)
    if (!placement) return false
    actions.move([card.task_id], placement, true)
    focus.follow(card.task_id)
  }
  const targets = () => (selectedIds.size ? [...selectedIds] : card ? [card.task_id] : [])
  const addToColumn = () => actions.add(columns[gridPosition?.column ?? 0]?.section_id)
  const clearOrLeave = () => {
    if (selectedIds.size) return clear()
    if (active === undefined) return false
    setActive(undefined)
  }
  useShortcuts(ON_BOARD, {
    ...stepHandlers(focus),
    moveByKeys: ({ key }) => moveActive(...ARROWS[key]!),
    resizeByKeys: ({ key }) =>
      card !== undefined &&
      controls.current?.resizeByKeys?.(card, key === 'ArrowLeft' ? -1 : 1) === true &&
      focus.follow(card.task_id),
    ...cardHandlers(card, actions),
    ...selectionHandlers(card, selection),
    create: () => (controls.current ?? { create: addToColumn }).create(),
    ...periodHandlers(controls),
    layout: ({ key }) => actions.switchLayout(key),
    filter: actions.filter,
    ...fieldHandlers(targets, actions),
    leave: clearOrLeave,
  })
  return { active, focusTarget, selectedIds, setActive, reveal, toggle, clear, click }
}

/** The keys that make another card active. */
const stepHandlers = ({ step }: FocusState) => ({
  next: ({ key }: KeyboardEvent) => void step(0, 1, key in ARROWS),
  back: ({ key }: KeyboardEvent) => void step(0, -1, key in ARROWS),
  right: () => void step(1, 0, true),
  left: () => void step(-1, 0, true),
})

/** The keys that act on the active card. */
const cardHandlers = (card: Card | undefined, actions: KeyActions) => ({
  open: () => (card ? actions.open(card) : false),
  copy: () => (card ? actions.copy(card) : false),
  timer: () => (card && card.task_id > 0 ? actions.timer(card) : false),
  fields: () => (card ? focusFirstChip(card.task_id) : false),
})

/** The keys that select cards. */
const selectionHandlers = (
  card: Card | undefined,
  { toggle, extend, all }: ReturnType<typeof useSelection>,
) => ({
  choose: () => (card ? toggle(card.task_id) : false),
  extend: ({ key }: KeyboardEvent) => extend(key.toLowerCase() === 'k' ? -1 : 1),
  all,
})

/** The keys that show another period of a calendar or a timeline. */
const periodHandlers = (controls: LayoutControlsRef) => ({
  earlier: () => controls.current?.changePeriod(-1) ?? false,
  later: () => controls.current?.changePeriod(1) ?? false,
  today: () => controls.current?.changePeriod(0) ?? false,
})

/** The keys that edit a field of the selected cards, or of the active one. */
function fieldHandlers(targets: () => readonly number[], actions: KeyActions) {
  const change = (what: EditableField) => () => {
    const ids = targets()
    return ids.length ? actions.change(what, ids) : false
  }
  return {
    column: change('column'),
    assign: change('assign'),
    label: change('label'),
    priority: change('priority'),
    due: change('due'),
    size: change('size'),
  }
}

/** The active card, and how the keys move it. */
function useActive(columns: readonly Column[], layout: Layout, controls: LayoutControlsRef) {
  const [active, setActive] = useState<number>()
  const focusTarget: FocusTarget = useRef<number>(undefined)
  /** The card at which a range selection with Shift starts. */
  const rangeStart = useRef<number>(undefined)
  const gridPosition = useMemo(() => gridPositionOf(columns, active), [columns, active])
  const card = gridPosition && columns[gridPosition.column]!.cards[gridPosition.row]
  const follow = (task_id: number) => {
    focusTarget.current = task_id
    focusTarget.isQuiet = false
    rangeStart.current = task_id
    setActive(task_id)
  }
  const reveal = (task_id: number) => {
    focusTarget.current = task_id
    focusTarget.isQuiet = true
    setActive(task_id)
  }
  const step = (dx: number, dy: number, isArrow: boolean) => {
    const next = controls.current
      ? controls.current.step({ dx, dy, isArrow })
      : nextCard(columns, layout, gridPosition, dx, dy)?.task_id
    if (next !== undefined) follow(next)
    return next
  }
  const at = {
    active,
    focusTarget,
    origin: rangeStart,
    gridPosition,
    card,
    setActive,
    follow,
    reveal,
    step,
  }
  useFocusAfterRemoval(columns, at)
  return at
}
type FocusState = ReturnType<typeof useActive>

/** When the active or focused card disappears, the card that takes its place becomes active. */
function useFocusAfterRemoval(
  columns: readonly Column[],
  { active, gridPosition, setActive, follow }: FocusState,
) {
  const lastPlace = useRef<GridPosition>(undefined)
  const focused = useRef<Element>(undefined)
  useEffect(() => {
    const onFocusIn = ({ target }: Event) => {
      const isOnBoard = target instanceof Element && target.closest('.board, .lines, .days, .bulk')
      focused.current = isOnBoard ? target : undefined
    }
    document.addEventListener('focusin', onFocusIn)
    return () => document.removeEventListener('focusin', onFocusIn)
  }, [])
  useEffect(() => {
    const isLost =
      focused.current?.isConnected === false && document.activeElement === document.body
    const { column, row } = gridPosition ?? lastPlace.current ?? { column: 0, row: 0 }
    lastPlace.current = { column, row }
    if (active === undefined || (gridPosition && !isLost)) return
    const cards = columns[column]?.cards ?? []
    const next = cards[Math.min(row, cards.length - 1)]
    if (next && isLost) follow(next.task_id)
    else setActive(next?.task_id)
  })
}

/** The selected cards among those that are shown. */
function useSelection(columns: readonly Column[], { origin, card, setActive, step }: FocusState) {
  const [selected, setChosen] = useState<ReadonlySet<number>>(NONE)
  const selectedIds = useMemo(
    () => (selected.size ? keepShown(columns, selected) : NONE),
    [columns, selected],
  )
  useMarquee({ selectedIds, select: setChosen })
  const toggle = useEffectEvent((task_id: number) => {
    const next = new Set(selectedIds)
    if (!next.delete(task_id)) next.add(task_id)
    setChosen(next)
    origin.current = task_id
  })
  const extend = (dy: number) => {
    const next = step(0, dy, false)
    setChosen(new Set([...selectedIds, ...[card?.task_id, next].flatMap((id) => id ?? [])]))
  }
  /** A click with Shift, Ctrl or Cmd selects; returns true if it did. */
  const onClick = useEffectEvent(({ task_id }: Card, { shiftKey, ctrlKey, metaKey }: Click) => {
    setActive(task_id)
    origin.current ??= task_id
    // A finger has no modifier keys; it selects while anything is selected.
    const isTouch = selectedIds.size > 0 && matchMedia('(pointer: coarse)').matches
    if (shiftKey) setChosen(new Set([...selectedIds, ...between(columns, origin.current, task_id)]))
    else if (ctrlKey || metaKey || isTouch) toggle(task_id)
    else return false
    return true
  })
  return {
    ...{ selectedIds, extend },
    all: () => setChosen(new Set(columns.flatMap(({ cards }) => cards.map(idOf)))),
    toggle: useCallback((task_id: number) => toggle(task_id), []),
    click: useCallback((card: Card, event: Click) => onClick(card, event), []),
    clear: useCallback(() => setChosen(NONE), []),
  }
}

const idOf = ({ task_id }: Card) => task_id

/** Drops cards that are no longer shown; returns the same set if there are none. */
function keepShown(columns: readonly Column[], selected: ReadonlySet<number>): ReadonlySet<number> {
  const shownIds = columns.flatMap(({ cards }) => cards.map(idOf)).filter((id) => selected.has(id))
  return shownIds.length === selected.size ? selected : new Set(shownIds)
}

const NONE: ReadonlySet<number> = new Set()
const ARROWS: Record<string, [number, number]> = {
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
}

interface GridPosition {
  column: number
  row: number
}

function gridPositionOf(
  columns: readonly Column[],
  active: number | undefined,
): GridPosition | undefined {
  if (active === undefined) return undefined
  for (const [column, { cards }] of columns.entries()) {
    const row = cards.findIndex(({ task_id }) => task_id === active)
    if (row >= 0) return { column, row }
  }
  return undefined
}

/** The ids from one card to another, in the order of the columns. */
function between(columns: readonly Column[], from: number, to: number): number[] {
  const ids = columns.flatMap(({ cards }) => cards.map(({ task_id }) => task_id))
  const range = [ids.indexOf(from), ids.indexOf(to)].sort((a, b) => a - b)
  return range[0]! < 0 ? [to] : ids.slice(range[0], range[1]! + 1)
}

/** The next card in a direction; empty columns are skipped. */
function nextCard(
  columns: readonly Column[],
  layout: Layout,
  gridPosition: GridPosition | undefined,
  dx: number,
  dy: number,
): Card | undefined {
  if (!gridPosition) return columns.find(({ cards }) => cards.length)?.cards[0]
  const sibling = dy ? columns[gridPosition.column]!.cards[gridPosition.row + dy] : undefined
  if (sibling || (dy && layout === 'board')) return sibling
  const step = dx || dy
  for (let at = gridPosition.column + step; columns[at]; at += step) {
    const { cards } = columns[at]!
    if (!cards.length) continue
    if (dy) return cards.at(dy > 0 ? 0 : -1)
    return cards[layout === 'list' ? 0 : Math.min(gridPosition.row, cards.length - 1)]
  }
  return undefined
}

function placementBeside(
  columns: readonly Column[],
  { column, row }: GridPosition,
  dx: number,
  dy: number,
): Placement | undefined {
  const { section_id, cards } = columns[column + dx] ?? {}
  if (section_id === undefined) return undefined
  if (dx) return { section_id, above_task_id: cards![row]?.task_id ?? null }
  if (dy < 0 && row === 0) return undefined
  if (dy > 0 && row === cards!.length - 1) return undefined
  const above = cards![dy < 0 ? row - 1 : row + 2]
  return { section_id, above_task_id: above?.task_id ?? null }
}
