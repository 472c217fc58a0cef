import { describeRule } from '../../../kernel/recurrence/describe.ts'
import { type Rule, readRule, type Weekday } from '../../../kernel/recurrence/rule.ts'
import { locale } from '../../kit/locale.ts'
import { dayFormatter } from '../../kit/zone.ts'
import { t } from '../../messages/t.ts'

/** A repeat rule in words, as a value on its own: `Every 2 weeks`. */
export function ruleText(recurrence: string): string {
  const text = ruleInline(recurrence)
  return text[0]!.toLocaleUpperCase(locale) + text.slice(1)
}

/** A repeat rule in words, within a sentence. Only English puts its parts into one clause. */
export const ruleInline = (recurrence: string): string =>
  !locale || locale.startsWith('en')
    ? describeRule(recurrence)
    : partsOf(readRule(recurrence)).reduce((first, second) => t('task.rule_and', { first, second }))

const isWorkweek = ({ frequency, interval, weekdays }: Rule) =>
  frequency === 'WEEKLY' &&
  interval === 1 &&
  weekdays.map(({ weekday }) => weekday).join() === '0,1,2,3,4'

function partsOf(rule: Rule): string[] {
  const { frequency, interval, weekdays, monthDays, months, until, count, fromCompletion } = rule
  const unit = isWorkweek(rule) ? 'weekday' : frequency
  return [
    t('task.rule_period', { unit, interval }),
    ...(unit === 'weekday' ? [] : weekdays.map((day) => weekdayText(day, frequency))),
    ...monthDays.map((day) =>
      day === -1 ? t('task.rule_last_day') : t('task.rule_month_day', { day }),
    ),
    ...months.map((month) => monthName(new Date(Date.UTC(2024, month - 1, 1)))),
    ...(fromCompletion ? [t('task.rule_after_completion')] : []),
    ...(until ? [t('task.rule_until', { date: dayName(new Date(until)) })] : []),
    ...(count === undefined ? [] : [t('task.rule_count', { count })]),
  ]
}

const weekdayName = dayFormatter({ weekday: 'long' })
const monthName = dayFormatter({ month: 'long' })
const dayName = dayFormatter({ day: 'numeric', month: 'short', year: 'numeric' })
const ORDINALS = ['every', 'first', 'second', 'third', 'fourth', 'fifth']

function weekdayText({ weekday, nth }: Weekday, frequency: Rule['frequency']): string {
  // The first day of 2024 is a Monday.
  const name = weekdayName(new Date(Date.UTC(2024, 0, 1 + weekday)))
  if (frequency === 'WEEKLY') return name
  return t('task.rule_nth_weekday', { nth: ORDINALS[nth] ?? 'last', weekday: name })
}
