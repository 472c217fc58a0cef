import { useMemo } from 'react'
import { addDays, dateOf } from '../../kit/days.ts'
import { FIRST_WEEKDAY } from '../../kit/weeks.ts'
import { t } from '../../messages/t.ts'
import { type Bar, bars } from './charts.ts'
import { Figure } from './figure.tsx'
import { formatNumber, fullDay } from './format.ts'
import type { FlowProps, FlowReport } from './types.ts'

/** Longer ranges are shown by week, because bars by day would be too narrow. */
const MAX_DAYS = 62

export function Throughput({ flow, state, board }: FlowProps) {
  const isWeekly = flow.days.length > MAX_DAYS
  const values = useMemo(() => barsOf(flow, isWeekly), [flow, isWeekly])
  const draw = useMemo(() => bars(values), [values])
  const periodName = (day: string) =>
    isWeekly ? t('reports.week_from_fullday', { fullDay: fullDay(day) }) : fullDay(day)
  return (
    <Figure
      {...{ id: 'done', state, board, draw, count: values.length }}
      title={t('reports.throughput')}
      explanation={isWeekly ? t('reports.completed_per_week') : t('reports.completed_per_day')}
      describe={(index) =>
        t('reports.periodname_count_done', {
          periodName: periodName(values[index]!.day),
          count: values[index]!.value,
        })
      }
      hint={
        isWeekly
          ? t('reports.done_by_week', { count: flow.completed })
          : t('reports.done_by_day', { count: flow.completed })
      }
      table={
        <table>
          <thead>
            <tr>
              <th scope="col">{isWeekly ? t('reports.week') : t('reports.day')}</th>
              <th scope="col">{t('common.done')}</th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ day, value }) => (
              <tr key={day}>
                <th scope="row">{periodName(day)}</th>
                <td className="tabular">{formatNumber(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    />
  )
}

function barsOf({ days }: FlowReport, isWeekly: boolean): Bar[] {
  if (!isWeekly) return days.map(({ day, completed }) => ({ day, value: completed }))
  const weeks = new Map<string, number>()
  for (const { day, completed } of days) {
    const first = addDays(day, -((dateOf(day).getUTCDay() - FIRST_WEEKDAY + 7) % 7))
    weeks.set(first, (weeks.get(first) ?? 0) + completed)
  }
  return [...weeks].map(([day, value]) => ({ day, value }))
}
