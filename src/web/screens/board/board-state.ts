import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Board, Card, Column } from '../../entities/board/data.ts'
import type { Placement } from '../../entities/board/placement.ts'
import { useNeighbours } from '../../entities/task/neighbours.ts'
import { toggleTimer } from '../../entities/timer/lazy-toggle.ts'
import { basePath } from '../../kit/base-path.ts'
import { showErrorToast, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import type { BoardQuery } from './board-query.ts'
import { useCardActions, useCardMenus } from './card/card-events.tsx'
import { currentCards } from './change.ts'
import { useDrops } from './drag/drag.ts'
import { type Click, type EditableField, useKeys } from './keys.ts'
import type { DragEnds, LayoutControls } from './layout-controls.ts'
import { selectLayout } from './layouts.ts'
import { type LaneChange, moveCards } from './moves.ts'
import type { Picking } from './picker.tsx'
import { setOpenWhenCreated } from './quick-add/create-task.ts'
import { useNewTaskDefaults } from './quick-add/new-task-defaults.ts'
import { useFileDrops } from './quick-add/use-file-drops.ts'
import { SORTS, type Sort } from './rules.ts'

/** The interaction state of a board: the active card, the selection and the open popups. */
export function useBoardState(
  board: Board,
  boardQuery: BoardQuery,
  shown: readonly Column[],
  isArchived: boolean,
) {
  const { project_id } = board
  const controls = useRef<LayoutControls>(undefined)
  const popups = usePopups()
  const { setPicking, setAddingTo, setAdding, filter } = popups
  const newTaskDefaults = useNewTaskDefaults(boardQuery.filter, boardQuery.me, board)
  const open = useOpenTask()
  const move = useMoveCards(project_id, boardQuery, shown)
  const change = useCallback(
    (what: EditableField, ids: readonly number[]) =>
      setPicking({ what, ids, anchor: elementOf(ids[0]) }),
    [setPicking],
  )
  const keys = useKeys(shown, boardQuery.layout, controls, {
    ...{ open, move, filter, copy: copyCard },
    timer: (card) => void toggleTimer({ ...card, project_id }),
    add: (section_id) => isArchived || setAdding(section_id),
    switchLayout: (digit) => selectLayout(digit, boardQuery),
    change: (what, ids) => setPicking({ what, ids, anchor: elementOf(keys.active ?? ids[0]) }),
  })
  const { selectedIds, click, setActive } = keys
  const cardActions = useCardActions({
    ...{ project_id, keys, open, setPicking, setAddingTo, shown, me: boardQuery.me },
  })
  const onOpen = useCallback(
    (card: Card, event: Click) => void (click(card, event) || open(card)),
    [click, open],
  )
  const dropped = useCallback(
    (task_id: number, placement: Placement | undefined, dragEnds: DragEnds) => {
      const ids = selectedIds.has(task_id) ? [...selectedIds] : [task_id]
      if (controls.current) controls.current.drop(ids, placement, dragEnds)
      else if (placement) move(ids, placement)
    },
    [move, selectedIds],
  )
  const holdMenu = useCardMenus(isArchived ? undefined : cardActions.openMenuAt)
  useDrops(shown, dropped, holdMenu)
  useTaskStepping(shown, setActive)
  useRevealOpenTask(shown, keys.reveal)
  useFileDrops(project_id)
  return {
    ...popups,
    ...{ newTaskDefaults, keys, onOpen, controls, move, change, cardActions },
  }
}

/** Whether the filter bar is open without a filter, and how it opens and closes. */
function useFilterEntry() {
  const filterButton = useRef<HTMLButtonElement>(null)
  const [filtering, setFiltering] = useState(false)
  const openFilter = useCallback(() => setFiltering(true), [])
  const filter = useCallback(() => {
    setFiltering(true)
    const input = document.querySelector<HTMLElement>('.filter-input')
    input?.focus()
    // A click opens the suggestions.
    input?.click()
  }, [])
  const closeFilter = useCallback(() => {
    setFiltering(false)
    filterButton.current?.focus()
  }, [])
  return { filterButton, filtering, filter, openFilter, closeFilter }
}

export type BoardState = ReturnType<typeof useBoardState>

/** Which popups are open. */
function usePopups() {
  const [picking, setPicking] = useState<Picking>()
  const [addingTo, setAddingTo] = useState<Card>()
  const [adding, setAdding] = useState<number>()
  return { ...useFilterEntry(), adding, setAdding, picking, setPicking, addingTo, setAddingTo }
}

/** The element of a card, or else the toolbar of the selection. */
export const elementOf = (task_id: number | undefined) =>
  document.querySelector(`[data-task="${task_id}"]`) ?? document.querySelector('.bulk')

function focusCard(task_id: number | undefined) {
  const element = elementOf(task_id)
  const button = element?.querySelector<HTMLElement>('.title') ?? element?.querySelector('button')
  button?.focus({ preventScroll: true })
}

/** After a picker closes, the focus is on the chip that opened it, or on the card. */
export function focusAfter({ what, ids, isFromChip }: Picking, active: number | undefined) {
  const chip = isFromChip && elementOf(ids[0])?.querySelector<HTMLElement>(`[data-chip="${what}"]`)
  if (chip) chip.focus({ preventScroll: true })
  else focusCard(active ?? ids[0])
}

/** Marks the chip whose picker is open. */
export function usePopupMark(picking: Picking | undefined) {
  const chip = picking?.isFromChip ? picking.anchor : null
  useEffect(() => {
    chip?.setAttribute('data-popup-open', '')
    return () => chip?.removeAttribute('data-popup-open')
  }, [chip])
}

function useOpenTask() {
  const [, setQuery] = useSearchParams()
  const open = useCallback(
    (ticket_number: string) =>
      setQuery((query) => {
        query.set('task', ticket_number)
        return query
      }),
    [setQuery],
  )
  useEffect(() => () => setOpenWhenCreated(undefined), [])
  return useCallback(
    ({ ticket_number, task_id }: Card) => {
      if (task_id > 0) return open(ticket_number)
      // A task has no ticket number before the server has created it.
      setOpenWhenCreated({ placeholderId: task_id, open })
      showToast(t('board.creating_the_task_it_opens_when_it'))
    },
    [open],
  )
}

/** Copies the ticket number, the title and the link of a card. */
function copyCard({ task_id, ticket_number, title }: Card): boolean {
  const isMarked = getSelection()?.isCollapsed === false
  if (task_id < 0 || isMarked || !navigator.clipboard) return false
  const text = `${ticket_number} ${title}\n${location.origin}${basePath}/t/${ticket_number}`
  navigator.clipboard.writeText(text).then(
    () => showToast(t('board.copied_ticket_number', { ticket_number })),
    () => showErrorToast(t('board.could_not_copy_the_browser_denied_access')),
  )
  return true
}

/** Cards can only be ordered by hand if the column is sorted by hand. */
function useMoveCards(
  project_id: number,
  { sorting, isServerSide }: BoardQuery,
  shown: readonly Column[],
) {
  const mode = sorting[0]?.mode ?? 'Manual'
  return useCallback(
    (ids: readonly number[], placement: Placement, isStep = false, laneChange?: LaneChange) => {
      if (mode === 'Manual' && !isServerSide)
        return void moveCards(project_id, ids, placement, isStep, laneChange)
      if (laneChange)
        return void moveCards(
          project_id,
          ids,
          withoutOrder(project_id, ids, placement),
          isStep,
          laneChange,
        )
      const column = shown.find(({ section_id }) => section_id === placement.section_id)
      const incoming = ids.filter((id) => !column?.cards.some(({ task_id }) => task_id === id))
      if (incoming.length)
        void moveCards(project_id, incoming, { ...placement, above_task_id: null }, isStep)
      else
        showToast(
          t('board.sorted_by_value_sort_manually_to_reorder', {
            value: (SORTS[mode as Sort] ?? t('board.the_view')).toLowerCase(),
          }),
        )
    },
    [project_id, mode, isServerSide, shown],
  )
}

/** Moves cards to the end of a column; cards that are already in it keep their rank. */
const withoutOrder = (
  project_id: number,
  ids: readonly number[],
  { section_id }: Placement,
): Placement => ({
  section_id,
  above_task_id: currentCards(project_id, ids).every((card) => card.section_id === section_id)
    ? undefined
    : null,
})

/** Lets the open task step to its neighbours in the order of the cards. */
function useTaskStepping(shown: readonly Column[], activate: (task_id: number) => void) {
  const step = useCallback(
    (ticket: string, by: 1 | -1) => {
      for (const { cards } of shown) {
        const at = cards.findIndex(({ ticket_number }) => ticket_number === ticket)
        const next = at < 0 ? undefined : cards[at + by]
        if (next) activate(next.task_id)
        if (at >= 0) return next?.ticket_number
      }
      return undefined
    },
    [shown, activate],
  )
  useNeighbours(step)
}

/** Scrolls to the card of the open task, even if it was opened by a link. */
function useRevealOpenTask(shown: readonly Column[], reveal: (task_id: number) => void) {
  const [query] = useSearchParams()
  const ticket = query.get('task')
  const lastTicket = useRef<string>(undefined)
  const show = useEffectEvent(reveal)
  useEffect(() => {
    if (!ticket) lastTicket.current = undefined
    if (!ticket || lastTicket.current === ticket) return
    const isTicket = (card: Card) => card.ticket_number === ticket
    const card = shown.flatMap(({ cards }) => cards).find(isTicket)
    if (!card) return
    lastTicket.current = ticket
    show(card.task_id)
  }, [ticket, shown])
}
