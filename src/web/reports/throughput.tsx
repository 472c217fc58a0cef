import { useMemo } from 'react'
import { dateOf, plus } from '../parts/days.ts'
import { FIRST } from '../parts/weeks.ts'
import { type Bar, bars } from './draw.ts'
import { Figure } from './figure.tsx'
import type { FlowReport, Shown } from './flow.tsx'
import { many, plain, wholeDay } from './words.ts'

/** Longer than this, days are too many to be told apart. */
const MOST_DAYS = 62

export function Throughput({ flow, look, board }: Shown) {
  const isWeekly = flow.days.length > MOST_DAYS
  const some = useMemo(() => barsOf(flow, isWeekly), [flow, isWeekly])
  const draw = useMemo(() => bars(some), [some])
  const named = (day: string) => (isWeekly ? `Week from ${wholeDay(day)}` : wholeDay(day))
  return (
    <Figure
      {...{ id: 'done', look, board, draw, count: some.length }}
      title="Throughput"
      meaning={`Tasks that got done in each ${isWeekly ? 'week' : 'day'}; one that was reopened counts once, when it was done last.`}
      words={(at) => `${named(some[at]!.day)}: ${many(some[at]!.value, 'task')} done`}
      hint={`${many(flow.completed, 'task')} done in all. The arrows tell of each ${isWeekly ? 'week' : 'day'}.`}
      table={
        <table>
          <thead>
            <tr>
              <th scope="col">{isWeekly ? 'Week' : 'Day'}</th>
              <th scope="col">Done</th>
            </tr>
          </thead>
          <tbody>
            {some.map(({ day, value }) => (
              <tr key={day}>
                <th scope="row">{named(day)}</th>
                <td className="tabular">{plain(value)}</td>
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
    const first = plus(day, -((dateOf(day).getUTCDay() - FIRST + 7) % 7))
    weeks.set(first, (weeks.get(first) ?? 0) + completed)
  }
  return [...weeks].map(([day, value]) => ({ day, value }))
}
