import { dateOf } from '../../kit/days.ts'
import { locale } from '../../kit/locale.ts'
import type { Day } from '../../kit/zone.ts'
import { t } from '../../messages/t.ts'

const timeZone = 'UTC'
const shortFormat = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short' })
const fullFormat = new Intl.DateTimeFormat(locale, {
  ...{ timeZone, weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
})
export const shortDay = (day: Day) => shortFormat.format(dateOf(day))
export const fullDay = (day: Day) => fullFormat.format(dateOf(day))

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const numberFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
const daysFormat = new Intl.NumberFormat(locale, {
  ...{ style: 'unit', unit: 'day', unitDisplay: 'long', maximumFractionDigits: 1 },
})
export const formatNumber = (value: number) => numberFormat.format(value)

/** Hours and minutes, such as 3:05 h. */
export function formatHours(seconds: number): string {
  const minutes = Math.round(seconds / MINUTE)
  const hours = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
  return t('common.hours_h', { hours })
}

/** A duration in minutes, hours or days. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < HOUR)
    return t('reports.max_min', { max: Math.max(1, Math.round(seconds / MINUTE)) })
  if (seconds < 2 * DAY) return t('common.hours_h', { hours: formatNumber(seconds / HOUR) })
  return daysFormat.format(seconds / DAY)
}
