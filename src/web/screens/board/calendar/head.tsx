import { dateOf } from '../../../kit/days.ts'
import { Icon } from '../../../kit/icon.tsx'
import { locale } from '../../../kit/locale.ts'
import { t } from '../../../messages/t.ts'
import { ColorMenu } from '../colors/color-menu.tsx'
import type { TaskColors } from '../colors/use-task-colors.ts'
import { weekOf } from './model.ts'
import type { CalendarPeriod } from './use-period.ts'

const timeZone = 'UTC'
const monthFormat = new Intl.DateTimeFormat(locale, { timeZone, month: 'long', year: 'numeric' })
const rangeFormat = new Intl.DateTimeFormat(locale, {
  ...{ timeZone, day: 'numeric', month: 'short', year: 'numeric' },
})

/** The name of the shown month or week. */
export function titleOf({ day, span }: Pick<CalendarPeriod, 'day' | 'span'>): string {
  if (span === 'month') return monthFormat.format(dateOf(day))
  const week = weekOf(day)
  return rangeFormat.formatRange(dateOf(week[0]!), dateOf(week[6]!))
}

interface Props {
  days: CalendarPeriod
  colors: TaskColors
}

/** The head of the calendar: the period, buttons to change it, and the colors. */
export function CalendarHead({ days, colors }: Props) {
  const { span, setSpan, changePeriod } = days
  return (
    <div className="days-head">
      <h2 aria-live="polite">{titleOf(days)}</h2>
      <span className="segments">
        <button type="button" className="button quiet only back" onClick={() => changePeriod(-1)}>
          <Icon
            name="chevron"
            label={span === 'month' ? t('board.previous_month') : t('board.previous_week')}
          />
        </button>
        <button type="button" className="button plain" onClick={() => changePeriod(0)}>
          {t('common.today')}
        </button>
        <button type="button" className="button quiet only" onClick={() => changePeriod(1)}>
          <Icon
            name="chevron"
            label={span === 'month' ? t('board.next_month') : t('board.next_week')}
          />
        </button>
      </span>
      <ColorMenu {...colors} />
      <fieldset className="choices segments" aria-label={t('board.period')}>
        {(['month', 'week'] as const).map((option) => (
          <button
            key={option}
            type="button"
            className="button quiet"
            aria-pressed={span === option}
            onClick={() => setSpan(option)}
          >
            {option === 'month' ? t('board.month') : t('board.week')}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
