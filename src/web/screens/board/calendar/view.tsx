import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { markOver } from '../../../kit/drag-marks.ts'
import type { Day } from '../../../kit/zone.ts'
import { useTaskColors } from '../colors/use-task-colors.ts'
import { dayElementAt } from '../drag/touch.ts'
import { finishFocus } from '../focus-target.ts'
import { useLayoutControls } from '../layout-controls.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { Agenda } from './agenda.tsx'
import { useOccurrences } from './occurrences.ts'
import './calendar.css'
import './more.css'
import { controlsOf } from './controls.ts'
import { Grid } from './grid.tsx'
import { CalendarHead } from './head.tsx'
import { type Item, itemsOf, undatedCards, weeksIn } from './model.ts'
import { UndatedList } from './undated-list.tsx'
import { type CalendarPeriod, useCalendarPeriod } from './use-period.ts'
import { useResize } from './use-resize.ts'

const smallScreen = matchMedia('(max-width: 48rem)')
const subscribeToScreen = (listener: () => void) => {
  smallScreen.addEventListener('change', listener)
  return () => smallScreen.removeEventListener('change', listener)
}

/** The calendar layout: tasks on the days of their due dates. */
export default function CalendarView(props: BoardLayoutProps) {
  const { shown, board, controls, boardQuery } = props
  const isSmall = useSyncExternalStore(subscribeToScreen, () => smallScreen.matches)
  const days = useCalendarPeriod(boardQuery)
  const weeks = useMemo(() => weeksIn(days.day, days.span), [days.day, days.span])
  const [from, to] = [weeks[0]![0]!, weeks.at(-1)!.at(-1)!]
  const occurrences = useOccurrences(board.project_id, shown, from, to)
  const dated = useMemo(() => itemsOf(shown), [shown])
  const undated = useMemo(() => undatedCards(shown), [shown])
  const items = useMemo(() => [...dated, ...occurrences], [dated, occurrences])
  const colors = useTaskColors(props)
  const { shownItems, onResize } = useResize(board.project_id, items)
  const root = useRef<HTMLDivElement>(null)
  useLayoutControls(controls, controlsOf({ ...props, days, items, undated, from, to }))
  useDayDrop(root)
  useFocusDay(root, days)
  useShowLinkedTask(dated, props, days, [from, to])
  useFocusTask(root, props)
  const { colorOf } = colors
  const daysProps = { ...props, days, items: shownItems, undated, colorOf, onResize }
  return (
    <div className="days fill" ref={root}>
      <CalendarHead {...{ days, colors }} />
      <div className="days-body">
        {isSmall ? <Agenda {...daysProps} /> : <Grid {...daysProps} weeks={weeks} />}
        <UndatedList {...daysProps} />
      </div>
    </div>
  )
}

/** Makes the calendar a drop target: a card goes to the day below the pointer. */
function useDayDrop(root: React.RefObject<HTMLDivElement | null>) {
  useEffect(() => {
    let target: HTMLElement | undefined
    const mark = (next: HTMLElement | undefined) => {
      if (target) markOver(target, false)
      target = next
      if (target) markOver(target, true)
    }
    return dropTargetForElements({
      element: root.current!,
      canDrop: ({ source }) => typeof source.data.task_id === 'number',
      getData: ({ input }) => ({ day: dayElementAt(input)?.dataset.day }),
      onDrag: ({ location }) => mark(dayElementAt(location.current.input)),
      onDragLeave: () => mark(undefined),
      onDrop: () => mark(undefined),
    })
  }, [root])
}

/** Focuses the day that the arrow keys reached, unless a task of it has the focus. */
function useFocusDay(
  root: React.RefObject<HTMLDivElement | null>,
  { day, dayToFocus }: CalendarPeriod,
) {
  useEffect(() => {
    if (dayToFocus.current !== day) return
    dayToFocus.current = undefined
    root.current?.querySelector<HTMLElement>(`[data-day="${day}"] .number`)?.focus()
  })
}

/** Shows the month or week of a task that was opened by its link. */
function useShowLinkedTask(
  dated: readonly Item[],
  { active, focusTarget }: Pick<BoardLayoutProps, 'active' | 'focusTarget'>,
  { setDay }: CalendarPeriod,
  [from, to]: readonly [Day, Day],
) {
  useEffect(() => {
    // Only a link sets a quiet target. A card that loses the focus must not change the period.
    if (active === undefined || focusTarget.current !== active || !focusTarget.isQuiet) return
    const item = dated.find(({ card }) => card.task_id === active)
    if (item && (item.to < from || item.from > to)) setDay(item.from)
  })
}

/** Focuses the active task, or the button for hidden tasks if it does not fit. */
function useFocusTask(
  root: React.RefObject<HTMLDivElement | null>,
  { active, focusTarget }: Pick<BoardLayoutProps, 'active' | 'focusTarget'>,
) {
  useEffect(() => {
    if (active === undefined || focusTarget.current !== active) return
    const title = root.current?.querySelector<HTMLElement>(`[data-task="${active}"] .title`)
    const moreButton = root.current?.querySelector<HTMLElement>(`[data-more~="${active}"]`)
    const target = title ?? moreButton
    if (!target) return
    finishFocus(focusTarget, target)
    target.scrollIntoView({ block: 'nearest' })
  })
}
