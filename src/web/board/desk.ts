import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { complain, say } from '../frame/toasts.tsx'
import { useNeighbours } from '../task/next.ts'
import { toggleTimer } from '../timers/at-hand.ts'
import { cardsNow } from './change.ts'
import type { Card, Column } from './data.ts'
import { useDrops } from './drag.ts'
import { type Click, useKeys, type What } from './keys.ts'
import { layBy } from './layouts.ts'
import type { Look } from './look.ts'
import { moveCards, type Turn } from './moves.ts'
import type { Picking } from './picker.tsx'
import { Sheet } from './print.tsx'
import { whenMade } from './quick-add.tsx'
import { SORTS, type Sort } from './rules.ts'
import type { Spot } from './spot.ts'
import type { Ends, Steering } from './steering.ts'
import { useUsual } from './usual.ts'

/** What somebody is doing on a board: where the keys are, what is chosen, what is open. */
export function useDesk(
  project_id: number,
  look: Look,
  shown: readonly Column[],
  isArchived: boolean,
) {
  const helm = useRef<Steering>(undefined)
  const filterButton = useRef<HTMLButtonElement>(null)
  const [adding, setAdding] = useState<number>()
  const [picking, setPicking] = useState<Picking>()
  const [filtering, setFiltering] = useState(false)
  const filter = useCallback(() => setFiltering(true), [])
  const usual = useUsual(look.filter, look.me)
  const open = useOpen()
  const move = useMove(project_id, look, shown)
  const change = useCallback(
    (what: What, ids: readonly number[]) => setPicking({ what, ids, anchor: elementOf(ids[0]) }),
    [],
  )
  const keys = useKeys(shown, look.layout, helm, {
    ...{ open, move, filter, copy: copyCard },
    timer: (card) => void toggleTimer({ ...card, project_id }),
    add: (section_id) => isArchived || setAdding(section_id),
    lay: (digit) => layBy(digit, look),
    change: (what, ids) => setPicking({ what, ids, anchor: elementOf(keys.active ?? ids[0]) }),
  })
  const { chosen, click, setActive, turn } = keys
  const onOpen = useCallback(
    (card: Card, event: Click) => void (click(card, event) || open(card)),
    [click, open],
  )
  const dropped = useCallback(
    (task_id: number, spot: Spot | undefined, ends: Ends) => {
      const ids = chosen.has(task_id) ? [...chosen] : [task_id]
      if (helm.current) helm.current.drop(ids, spot, ends)
      else if (spot) move(ids, spot)
    },
    [move, chosen],
  )
  useDrops(shown, dropped, turn)
  useSteps(shown, setActive)
  useOpened(shown, keys.reveal)
  useEffect(preload, [])
  return {
    ...{ filterButton, adding, setAdding, picking, setPicking, filtering, setFiltering },
    ...{ filter, usual, keys, onOpen, helm, move, change },
  }
}
export type Desk = ReturnType<typeof useDesk>

/** A card in the document, or what stands for all that are chosen. */
export const elementOf = (task_id: number | undefined) =>
  document.querySelector(`[data-task="${task_id}"]`) ?? document.querySelector('.bulk')

export const focusCard = (task_id: number | undefined) =>
  elementOf(task_id)?.querySelector<HTMLElement>('.title, button')?.focus({ preventScroll: true })

function useOpen() {
  const [, setQuery] = useSearchParams()
  const open = useCallback(
    (ticket_number: string) =>
      setQuery((query) => {
        query.set('task', ticket_number)
        return query
      }),
    [setQuery],
  )
  useEffect(() => () => whenMade(undefined), [])
  return useCallback(
    ({ ticket_number, task_id }: Card) => {
      if (task_id > 0) return open(ticket_number)
      // It has no key before the server has made it.
      whenMade({ ghost: task_id, open })
      say('It is still being added, and opens then')
    },
    [open],
  )
}

/** Its name as a line of text, and where it is found. */
function copyCard({ task_id, ticket_number, title }: Card): boolean {
  const isMarked = getSelection()?.isCollapsed === false
  if (task_id < 0 || isMarked || !navigator.clipboard) return false
  const text = `${ticket_number} ${title}\n${location.origin}/t/${ticket_number}`
  navigator.clipboard.writeText(text).then(
    () => say(`Copied ${ticket_number}`),
    () => complain('The browser did not let it be copied'),
  )
  return true
}

/** In a column that sorts itself nothing is put in order by hand. */
function useMove(project_id: number, { sorting, isServed }: Look, shown: readonly Column[]) {
  const mode = sorting[0]?.mode ?? 'Manual'
  return useCallback(
    (ids: readonly number[], spot: Spot, isStep = false, turn?: Turn) => {
      if (mode === 'Manual' && !isServed) return void moveCards(project_id, ids, spot, isStep, turn)
      if (turn)
        return void moveCards(project_id, ids, unordered(project_id, ids, spot), isStep, turn)
      const there = shown.find(({ section_id }) => section_id === spot.section_id)
      const come = ids.filter((id) => !there?.cards.some(({ task_id }) => task_id === id))
      if (come.length) void moveCards(project_id, come, { ...spot, above: null }, isStep)
      else
        say(`Sorted by ${(SORTS[mode as Sort] ?? 'the view').toLowerCase()}: sort by hand to order`)
    },
    [project_id, mode, isServed, shown],
  )
}

/** In another column below all others, in its own where it stands. */
const unordered = (project_id: number, ids: readonly number[], { section_id }: Spot): Spot => ({
  section_id,
  above: cardsNow(project_id, ids).every((card) => card.section_id === section_id)
    ? undefined
    : null,
})

/** Goes from an open task to the next, as the cards stand. */
function useSteps(shown: readonly Column[], reach: (task_id: number) => void) {
  const step = useCallback(
    (ticket: string, by: 1 | -1) => {
      for (const { cards } of shown) {
        const at = cards.findIndex(({ ticket_number }) => ticket_number === ticket)
        const next = at < 0 ? undefined : cards[at + by]
        if (next) reach(next.task_id)
        if (at >= 0) return next?.ticket_number
      }
      return undefined
    },
    [shown, reach],
  )
  useNeighbours(step)
}

/** The card of an open task is in sight: also where the task was opened by its link. */
function useOpened(shown: readonly Column[], reveal: (task_id: number) => void) {
  const [query] = useSearchParams()
  const ticket = query.get('task')
  const last = useRef<string>(undefined)
  const show = useEffectEvent(reveal)
  useEffect(() => {
    if (!ticket) last.current = undefined
    if (!ticket || last.current === ticket) return
    const isIt = (card: Card) => card.ticket_number === ticket
    const card = shown.flatMap(({ cards }) => cards).find(isIt)
    if (!card) return
    last.current = ticket
    show(card.task_id)
  }, [ticket, shown])
}

const PRELOAD_MS = 1500

/** What a key opens is there when the key is pressed. */
function preload() {
  const timer = setTimeout(() => {
    void import('./picker.tsx').catch(() => {})
    void import('./filters.tsx').catch(() => {})
    void import('../task/peek.tsx').catch(() => {})
    void Sheet.ahead()
  }, PRELOAD_MS)
  return () => clearTimeout(timer)
}
