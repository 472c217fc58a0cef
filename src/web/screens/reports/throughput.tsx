import { useMemo } from 'react'
import { addDays, dateOf } from '../../kit/days.ts'
import { FIRST_WEEKDAY } from '../../kit/weeks.ts'
import { type Bar, bars } from './charts.ts'
import { Figure } from './figure.tsx'
import { countOf, formatNumber, fullDay } from './format.ts'
import type { FlowProps, FlowReport } from './types.ts'

/** Longer ranges are shown by week, because bars by day would be too narrow. */
const MAX_DAYS = 62

export function Throughput({ flow, state, board }: FlowProps) {
  const isWeekly = flow.days.length > MAX_DAYS
  const values = useMemo(() => barsOf(flow, isWeekly), [flow, isWeekly])
  const draw = useMemo(() => bars(values), [values])
  const periodName = (day: string) => (isWeekly ? `Week from ${fullDay(day)}` : fullDay(day))
  return (
    <Figure
      {...{ id: 'done', state, board, draw, count: values.length }}
      title="Throughput"
      meaning={`Tasks completed per ${isWeekly ? 'week' : 'day'}. A reopened task counts once, when it was last completed.`}
      describe={(index) =>
        `${periodName(values[index]!.day)}: ${countOf(values[index]!.value, 'task')} done`
      }
      hint={`${countOf(flow.completed, 'task')} done in total. Use the arrow keys to read each ${isWeekly ? 'week' : 'day'}.`}
      table={
        <table>
          <thead>
            <tr>
              <th scope="col">{isWeekly ? 'Week' : 'Day'}</th>
              <th scope="col">Done</th>
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
