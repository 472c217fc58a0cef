import { useState } from 'react'
import { dateOf } from '../../../kit/days.ts'
import { Icon } from '../../../kit/icon.tsx'
import { locale } from '../../../kit/locale.ts'
import type { Day } from '../../../kit/zone.ts'
import { t } from '../../../messages/t.ts'
import { QuickAdd } from '../quick-add/quick-add.tsx'
import { BarView } from './bar.tsx'
import { type Bar, nameOfDay } from './model.ts'
import { DayPopup } from './popup.tsx'
import type { DaysProps } from './types.ts'

const timeZone = 'UTC'
const firstOfMonth = new Intl.DateTimeFormat(locale, {
  timeZone,
  day: 'numeric',
  month: 'long',
})

interface Props extends DaysProps {
  day: Day
  isOther: boolean
  /** The bars that start on this day, or continue here from the previous week. */
  bars: readonly Bar[]
  /** The bars that do not fit. */
  hidden: readonly Bar[]
}

export function DayCell({ day, isOther, bars, hidden, ...rest }: Props) {
  const { days, onAdd } = rest
  const [anchor, setAnchor] = useState<Element>()
  const isToday = day === days.today
  const number = day.endsWith('-01')
    ? firstOfMonth.format(dateOf(day))
    : String(Number(day.slice(8)))
  const state = ['day', isOther && 'other', isToday && 'today']
  const hiddenIds = hidden.map(({ item }) => item.card.task_id)
  return (
    <td className={state.filter(Boolean).join(' ')} data-day={day}>
      <button
        type="button"
        className="number"
        tabIndex={day === days.day ? 0 : -1}
        aria-label={nameOfDay(day)}
        aria-current={isToday ? 'date' : undefined}
        onFocus={() => days.setDay(day)}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {number}
      </button>
      {onAdd && (
        <button
          type="button"
          className="button quiet only add"
          tabIndex={-1}
          onClick={() => days.setNewTaskDay(day)}
        >
          <Icon
            name="plus"
            label={t('board.add_a_task_on_nameofday', { nameOfDay: nameOfDay(day) })}
          />
        </button>
      )}
      {bars.map((bar) => (
        <BarView key={bar.item.key} {...rest} bar={bar} />
      ))}
      {hidden.length > 0 && (
        <button
          type="button"
          className="more-here"
          data-more={hiddenIds.join(' ')}
          tabIndex={-1}
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        >
          {t('board.count_more', { count: hidden.length })}
        </button>
      )}
      {days.newTaskDay === day && <AddTaskOnDay {...rest} day={day} />}
      {anchor && <DayPopup {...rest} {...{ day, anchor }} onClose={() => setAnchor(undefined)} />}
    </td>
  )
}

/** A field for a new task that is due on this day, in the first column that is not done. */
export function AddTaskOnDay({
  day,
  days,
  project_id,
  newTaskDefaults,
  shown,
  columns,
}: DaysProps & { day: Day }) {
  const column = shown.find(({ done }) => !done) ?? columns[0]
  if (!column) return null
  return (
    <QuickAdd
      {...{ project_id, column }}
      placeName={t('board.on_nameofday', { nameOfDay: nameOfDay(day) })}
      newTaskDefaults={{ ...newTaskDefaults, due_date: day }}
      onAdded={() => {}}
      onClose={() => days.setNewTaskDay(undefined)}
      onRefused={() => days.setNewTaskDay(day)}
    />
  )
}
