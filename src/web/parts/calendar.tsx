import { useEffect, useRef, useState } from 'react'
import { dateOf, plus, plusMonths } from './days.ts'
import { Icon } from './icon.tsx'
import { FIRST, weeksOf } from './weeks.ts'
import { type Day, dayOf } from './zone.ts'

const timeZone = 'UTC'
const title = new Intl.DateTimeFormat(undefined, { timeZone, month: 'long', year: 'numeric' })
const whole = new Intl.DateTimeFormat(undefined, { timeZone, dateStyle: 'full' })
const narrow = new Intl.DateTimeFormat(undefined, { weekday: 'narrow' })
const long = new Intl.DateTimeFormat(undefined, { weekday: 'long' })
const HEADS = [0, 1, 2, 3, 4, 5, 6].map((at) => {
  const date = new Date(2023, 9, 1 + FIRST + at)
  return { short: narrow.format(date), full: long.format(date) }
})

interface Props {
  day: Day | null
  onPick(day: Day): void
}

const STEPS: Record<string, (day: Day) => Day> = {
  ArrowLeft: (day) => plus(day, -1),
  ArrowRight: (day) => plus(day, 1),
  ArrowUp: (day) => plus(day, -7),
  ArrowDown: (day) => plus(day, 7),
  Home: (day) => plus(day, -((dateOf(day).getUTCDay() - FIRST + 7) % 7)),
  End: (day) => plus(day, 6 - ((dateOf(day).getUTCDay() - FIRST + 7) % 7)),
  PageUp: (day) => plusMonths(day, -1),
  PageDown: (day) => plusMonths(day, 1),
}

/** A month to choose a day from; arrows walk over the days. */
export function Calendar({ day, onPick }: Props) {
  const [at, setAt] = useState(day ?? dayOf(new Date()))
  const grid = useRef<HTMLTableElement>(null)
  const walks = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus goes where the arrows went
  useEffect(() => {
    if (walks.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    walks.current = false
  }, [at])
  const walk = (to: Day) => {
    walks.current = true
    setAt(to)
  }
  return (
    <div className="calendar">
      <Month at={at} onTurn={setAt} />
      <table ref={grid}>
        <Heads />
        <tbody>
          {weeksOf(at).map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <td key={one}>
                  <Cell day={one} at={at} chosen={day} onPick={onPick} onStep={walk} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Which month it is, with ways to those beside it. */
const Month = ({ at, onTurn }: { at: Day; onTurn(day: Day): void }) => (
  <div className="month">
    <button
      type="button"
      className="button quiet only back"
      onClick={() => onTurn(plusMonths(at, -1))}
    >
      <Icon name="chevron" label="Month before" />
    </button>
    <strong aria-live="polite">{title.format(dateOf(at))}</strong>
    <button type="button" className="button quiet only" onClick={() => onTurn(plusMonths(at, 1))}>
      <Icon name="chevron" label="Month after" />
    </button>
  </div>
)

const Heads = () => (
  <thead>
    <tr>
      {HEADS.map(({ short, full }) => (
        <th key={full} scope="col" abbr={full}>
          {short}
        </th>
      ))}
    </tr>
  </thead>
)

interface CellProps {
  day: Day
  /** The day that the arrows are at. */
  at: Day
  chosen: Day | null
  onPick(day: Day): void
  onStep(day: Day): void
}

function Cell({ day, at, chosen, onPick, onStep }: CellProps) {
  return (
    <button
      type="button"
      className={day.slice(0, 7) === at.slice(0, 7) ? 'day' : 'day other'}
      tabIndex={day === at ? 0 : -1}
      aria-label={whole.format(dateOf(day))}
      aria-pressed={day === chosen}
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
