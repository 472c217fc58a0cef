import { addDays, addMonths, dateOf } from '../../kit/days.ts'
import { FIRST_WEEKDAY } from '../../kit/weeks.ts'
import { type Day, dayOf } from '../../kit/zone.ts'
import { t } from '../../messages/t.ts'

export interface Range {
  from: Day
  to: Day
}

const weekOf = (day: Day) => addDays(day, -((dateOf(day).getUTCDay() - FIRST_WEEKDAY + 7) % 7))
const monthOf = (day: Day) => `${day.slice(0, 8)}01`
const dayBefore = (day: Day) => addDays(day, -1)

type Preset = 'week' | 'last-week' | 'month' | 'last-month' | '30' | '90' | '365'

/** Named periods, relative to today. */
export const PRESETS: Record<Preset, { name: string; of(today: Day): Range }> = {
  week: { name: t('reports.this_week'), of: (to) => ({ from: weekOf(to), to }) },
  'last-week': {
    name: t('reports.last_week'),
    of: (to) => ({ from: addDays(weekOf(to), -7), to: dayBefore(weekOf(to)) }),
  },
  month: { name: t('reports.this_month'), of: (to) => ({ from: monthOf(to), to }) },
  'last-month': {
    name: t('reports.last_month'),
    of: (to) => ({ from: addMonths(monthOf(to), -1), to: dayBefore(monthOf(to)) }),
  },
  '30': { name: t('reports.last_30_days'), of: (to) => ({ from: addDays(to, -29), to }) },
  '90': { name: t('reports.last_90_days'), of: (to) => ({ from: addDays(to, -89), to }) },
  '365': { name: t('reports.last_365_days'), of: (to) => ({ from: addDays(to, -364), to }) },
}

export const isPreset = (name: string): name is Preset => Object.hasOwn(PRESETS, name)

const DAY = /^\d{4}-\d{2}-\d{2}$/
const isDay = (text: string) => DAY.test(text) && !Number.isNaN(Date.parse(text))

/** The range from the URL, or the fallback preset. */
export function rangeIn(
  query: URLSearchParams,
  fallback: Preset,
  today = dayOf(new Date()),
): Range {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  if (isDay(from) && isDay(to) && from <= to) return { from, to }
  const preset = query.get('range') ?? ''
  return PRESETS[isPreset(preset) ? preset : fallback].of(today)
}

export const daysIn = ({ from, to }: Range) =>
  Math.round((dateOf(to).getTime() - dateOf(from).getTime()) / 86_400_000) + 1
