import { useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '../../../kit/icon.tsx'
import type { Day } from '../../../kit/zone.ts'
import { t } from '../../../messages/t.ts'
import { AddTaskOnDay } from './day.tsx'
import { Entries } from './entries.tsx'
import { itemsOn, nameOfDay, weeksIn } from './model.ts'
import { DayPopup } from './popup.tsx'
import type { DaysProps } from './types.ts'

/** Further tasks of a day open in a popup. */
const MAX_TASKS = 8

/** The days with tasks of a month or week, below each other; for narrow screens. */
export function Agenda(props: DaysProps) {
  const { days, items } = props
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.querySelector('.today')?.scrollIntoView(), [])
  const { day, span, today, newTaskDay } = days
  const shown = useMemo(() => {
    const allDays = weeksIn(day, span).flat()
    const periodDays =
      span === 'week' ? allDays : allDays.filter((date) => date.slice(0, 7) === day.slice(0, 7))
    return periodDays.map((date) => ({ day: date, items: itemsOn(items, date) }))
  }, [day, span, items])
  const visibleDays = shown.filter(
    (entry) => entry.items.length || [today, day, newTaskDay].includes(entry.day),
  )
  return (
    <div className="agenda stack" ref={list}>
      {visibleDays.map((entry) => (
        <AgendaDay key={entry.day} {...props} day={entry.day} due={entry.items} />
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
            onClick={() => days.setNewTaskDay(day)}
          >
            <Icon
              name="plus"
              label={t('board.add_a_task_on_nameofday', { nameOfDay: nameOfDay(day) })}
            />
          </button>
        )}
      </h3>
      <Entries {...rest} items={due.slice(0, MAX_TASKS)} />
      {due.length > MAX_TASKS && (
        <button
          type="button"
          className="button quiet"
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        >
          {t('board.value_more', { value: due.length - MAX_TASKS })}
        </button>
      )}
      {days.newTaskDay === day && <AddTaskOnDay {...rest} day={day} />}
      {anchor && <DayPopup {...rest} {...{ day, anchor }} onClose={() => setAnchor(undefined)} />}
    </section>
  )
}
