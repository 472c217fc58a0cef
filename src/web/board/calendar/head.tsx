import { dateOf } from '../../parts/days.ts'
import { Icon } from '../../parts/icon.tsx'
import { weekOf } from './model.ts'
import type { At } from './use-at.ts'

const timeZone = 'UTC'
const month = new Intl.DateTimeFormat(undefined, { timeZone, month: 'long', year: 'numeric' })
const range = new Intl.DateTimeFormat(undefined, {
  ...{ timeZone, day: 'numeric', month: 'short', year: 'numeric' },
})

/** What is shown, as people call it. */
export function titleOf({ day, span }: Pick<At, 'day' | 'span'>): string {
  if (span === 'month') return month.format(dateOf(day))
  const week = weekOf(day)
  return range.formatRange(dateOf(week[0]!), dateOf(week[6]!))
}

/** Which days are shown, and ways to others. */
export function CalendarHead({ days }: { days: At }) {
  const { span, setSpan, turn } = days
  return (
    <div className="days-head">
      <h2 aria-live="polite">{titleOf(days)}</h2>
      <span className="steps">
        <button type="button" className="button quiet only back" onClick={() => turn(-1)}>
          <Icon name="chevron" label={span === 'month' ? 'Month before' : 'Week before'} />
        </button>
        <button type="button" className="button plain" onClick={() => turn(0)}>
          Today
        </button>
        <button type="button" className="button quiet only" onClick={() => turn(1)}>
          <Icon name="chevron" label={span === 'month' ? 'Month after' : 'Week after'} />
        </button>
      </span>
      <fieldset className="choices" aria-label="How much is shown">
        {(['month', 'week'] as const).map((one) => (
          <button
            key={one}
            type="button"
            className="button quiet"
            aria-pressed={span === one}
            onClick={() => setSpan(one)}
          >
            {one === 'month' ? 'Month' : 'Week'}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
