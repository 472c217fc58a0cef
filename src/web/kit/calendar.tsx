import { useEffect, useRef, useState } from 'react'
import { t } from '../messages/t.ts'
import { addDays, addMonths, dateOf } from './days.ts'
import { Icon } from './icon.tsx'
import { locale } from './locale.ts'
import { FIRST_WEEKDAY, weeksOf } from './weeks.ts'
import { type Day, dayOf } from './zone.ts'

const timeZone = 'UTC'
const title = new Intl.DateTimeFormat(locale, { timeZone, month: 'long', year: 'numeric' })
const fullDate = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'full' })
const narrow = new Intl.DateTimeFormat(locale, { weekday: 'narrow' })
const long = new Intl.DateTimeFormat(locale, { weekday: 'long' })
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6].map((at) => {
  const date = new Date(2023, 9, 1 + FIRST_WEEKDAY + at)
  return { short: narrow.format(date), full: long.format(date) }
})

interface Props {
  day: Day | null
  onPick(day: Day): void
}

const STEPS: Record<string, (day: Day) => Day> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -((dateOf(day).getUTCDay() - FIRST_WEEKDAY + 7) % 7)),
  End: (day) => addDays(day, 6 - ((dateOf(day).getUTCDay() - FIRST_WEEKDAY + 7) % 7)),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
}

/** A month to choose a day from. Arrow keys move the focus between days. */
export function Calendar({ day, onPick }: Props) {
  const [focused, setFocused] = useState(day ?? dayOf(new Date()))
  const grid = useRef<HTMLTableElement>(null)
  const movesFocus = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the focused day changes
  useEffect(() => {
    if (movesFocus.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    movesFocus.current = false
  }, [focused])
  const moveTo = (to: Day) => {
    movesFocus.current = true
    setFocused(to)
  }
  return (
    <div className="calendar">
      <MonthHead at={focused} onChange={setFocused} />
      <table ref={grid}>
        <WeekdayHeads />
        <tbody>
          {weeksOf(focused).map((week) => (
            <tr key={week[0]}>
              {week.map((date) => (
                <td key={date}>
                  <Cell
                    day={date}
                    focused={focused}
                    selected={day}
                    onPick={onPick}
                    onStep={moveTo}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The name of the month, with buttons for the previous and the next one. */
const MonthHead = ({ at: focused, onChange }: { at: Day; onChange(day: Day): void }) => (
  <div className="month">
    <button
      type="button"
      className="button quiet only back"
      onClick={() => onChange(addMonths(focused, -1))}
    >
      <Icon name="chevron" label={t('kit.previous_month')} />
    </button>
    <strong aria-live="polite">{title.format(dateOf(focused))}</strong>
    <button
      type="button"
      className="button quiet only"
      onClick={() => onChange(addMonths(focused, 1))}
    >
      <Icon name="chevron" label={t('kit.next_month')} />
    </button>
  </div>
)

const WeekdayHeads = () => (
  <thead>
    <tr>
      {WEEKDAYS.map(({ short, full }) => (
        <th key={full} scope="col" abbr={full}>
          {short}
        </th>
      ))}
    </tr>
  </thead>
)

interface CellProps {
  day: Day
  /** The day that has the keyboard focus. */
  focused: Day
  selected: Day | null
  onPick(day: Day): void
  onStep(day: Day): void
}

function Cell({ day, focused, selected, onPick, onStep }: CellProps) {
  return (
    <button
      type="button"
      className={day.slice(0, 7) === focused.slice(0, 7) ? 'day' : 'day other'}
      tabIndex={day === focused ? 0 : -1}
      aria-label={fullDate.format(dateOf(day))}
      aria-pressed={day === selected}
      aria-current={day === dayOf(new Date()) ? 'date' : undefined}
      onClick={() => onPick(day)}
      onKeyDown={(event) => {
        const step = STEPS[event.key]
        if (!step) return
        event.preventDefault()
        onStep(step(day))
      }}
    >
      {Number(day.slice(8))}
    </button>
  )
}
