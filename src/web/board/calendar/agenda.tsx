import { useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '../../parts/icon.tsx'
import type { Day } from '../../parts/zone.ts'
import { AddOn } from './day.tsx'
import { Entries } from './entries.tsx'
import { nameOfDay, onDay, weeksIn } from './model.ts'
import { DayPopup } from './popup.tsx'
import type { DaysProps } from './view.tsx'

/** More of a day are behind how many they are. */
const MOST = 8

/** The days of a month or a week on which something is due, below each other. */
export function Agenda(props: DaysProps) {
  const { days, items } = props
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.querySelector('.today')?.scrollIntoView(), [])
  const { day, span, today, typing } = days
  const shown = useMemo(() => {
    const all = weeksIn(day, span).flat()
    const own = span === 'week' ? all : all.filter((one) => one.slice(0, 7) === day.slice(0, 7))
    return own.map((one) => ({ day: one, items: onDay(items, one) }))
  }, [day, span, items])
  const needed = shown.filter((one) => one.items.length || [today, day, typing].includes(one.day))
  return (
    <div className="agenda" ref={list}>
      {needed.map((one) => (
        <AgendaDay key={one.day} {...props} day={one.day} due={one.items} />
      ))}
    </div>
  )
}

interface DayProps extends DaysProps {
  day: Day
  due: DaysProps['items']
}

function AgendaDay({ day, due, ...rest }: DayProps) {
  const { days, onAdd } = rest
  const [anchor, setAnchor] = useState<Element>()
  const isToday = day === days.today
  return (
    <section className={isToday ? 'today' : ''} aria-label={nameOfDay(day)} data-day={day}>
      <h3>
        <button
          type="button"
          className="number"
          aria-current={isToday ? 'date' : undefined}
          onFocus={() => days.setDay(day)}
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        >
          {nameOfDay(day)}
        </button>
        {onAdd && (
          <button
            type="button"
            className="button quiet only add"
            onClick={() => days.setTyping(day)}
          >
            <Icon name="plus" label={`Add a task on ${nameOfDay(day)}`} />
          </button>
        )}
      </h3>
      <Entries {...rest} items={due.slice(0, MOST)} />
      {due.length > MOST && (
        <button
          type="button"
          className="button quiet"
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        >
          +{due.length - MOST} more
        </button>
      )}
      {days.typing === day && <AddOn {...rest} day={day} />}
      {anchor && <DayPopup {...rest} {...{ day, anchor }} onClose={() => setAnchor(undefined)} />}
    </section>
  )
}
