import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Day } from '../../parts/zone.ts'
import type { Card } from '../data.ts'
import type { LaidProps } from '../laid.tsx'
import { useSteering } from '../steering.ts'
import { dayBelow, markOver } from '../touch.ts'
import { arrive } from '../want.ts'
import { useAgain } from './again.ts'
import { Agenda } from './agenda.tsx'
import './calendar.css'
import './more.css'
import { Grid } from './grid.tsx'
import { CalendarHead } from './head.tsx'
import { type Item, itemsOf, undatedIn, weeksIn } from './model.ts'
import { steeringOf } from './steer.ts'
import { Tray } from './tray.tsx'
import { type At, useAt } from './use-at.ts'

const small = matchMedia('(max-width: 48rem)')
const followSmall = (tell: () => void) => {
  small.addEventListener('change', tell)
  return () => small.removeEventListener('change', tell)
}

export interface DaysProps extends LaidProps {
  days: At
  items: readonly Item[]
  undated: readonly Card[]
}

/** The tasks of a board on the days on which they are due. */
export default function CalendarView(props: LaidProps) {
  const { shown, board, helm, look } = props
  const isSmall = useSyncExternalStore(followSmall, () => small.matches)
  const days = useAt(look)
  const weeks = useMemo(() => weeksIn(days.day, days.span), [days.day, days.span])
  const [from, to] = [weeks[0]![0]!, weeks.at(-1)!.at(-1)!]
  const again = useAgain(board.project_id, shown, from, to)
  const dated = useMemo(() => itemsOf(shown), [shown])
  const undated = useMemo(() => undatedIn(shown), [shown])
  const items = useMemo(() => [...dated, ...again], [dated, again])
  const root = useRef<HTMLDivElement>(null)
  useSteering(helm, steeringOf({ ...props, days, items, undated, from, to }))
  useDropDays(root)
  useFocusDay(root, days)
  useTurnTo(dated, props, days, [from, to])
  useFocusTask(root, props)
  const all = { ...props, days, items, undated }
  return (
    <div className="days" ref={root}>
      <CalendarHead {...{ days }} />
      <div className="days-body">
        {isSmall ? <Agenda {...all} /> : <Grid {...all} weeks={weeks} />}
        <Tray {...all} />
      </div>
    </div>
  )
}

/** What is carried over the days is put down on the one below the pointer. */
function useDropDays(root: React.RefObject<HTMLDivElement | null>) {
  useEffect(() => {
    let over: HTMLElement | undefined
    const mark = (next: HTMLElement | undefined) => {
      if (over) markOver(over, false)
      over = next
      if (over) markOver(over, true)
    }
    return dropTargetForElements({
      element: root.current!,
      canDrop: ({ source }) => typeof source.data.task_id === 'number',
      getData: ({ input }) => ({ day: dayBelow(input)?.dataset.day }),
      onDrag: ({ location }) => mark(dayBelow(location.current.input)),
      onDragLeave: () => mark(undefined),
      onDrop: () => mark(undefined),
    })
  }, [root])
}

/** The focus goes to the day that the arrows went to, where no task of it takes it. */
function useFocusDay(root: React.RefObject<HTMLDivElement | null>, { day, wanted }: At) {
  useEffect(() => {
    if (wanted.current !== day) return
    wanted.current = undefined
    root.current?.querySelector<HTMLElement>(`[data-day="${day}"] .number`)?.focus()
  })
}

/** A task that is opened by its link may be due in another month or week: turns to that one. */
function useTurnTo(
  dated: readonly Item[],
  { active, want }: Pick<LaidProps, 'active' | 'want'>,
  { setDay }: At,
  [from, to]: readonly [Day, Day],
) {
  useEffect(() => {
    // Only a link reveals a card quietly: a card that loses the focus here must not turn back.
    if (active === undefined || want.current !== active || !want.isQuiet) return
    const item = dated.find(({ card }) => card.task_id === active)
    if (item && (item.to < from || item.from > to)) setDay(item.from)
  })
}

/** Where a day has no room for a task, the focus goes to what shows all of that day. */
function useFocusTask(
  root: React.RefObject<HTMLDivElement | null>,
  { active, want }: Pick<LaidProps, 'active' | 'want'>,
) {
  useEffect(() => {
    if (active === undefined || want.current !== active) return
    const here = root.current?.querySelector<HTMLElement>(`[data-task="${active}"] .title`)
    const hidden = root.current?.querySelector<HTMLElement>(`[data-more~="${active}"]`)
    const to = here ?? hidden
    if (!to) return
    arrive(want, to)
    to.scrollIntoView({ block: 'nearest' })
  })
}
