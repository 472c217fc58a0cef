import { dateOf } from '../../../kit/days.ts'
import { locale } from '../../../kit/locale.ts'
import { FIRST_WEEKDAY } from '../../../kit/weeks.ts'
import { dayOf } from '../../../kit/zone.ts'
import { titleOf } from '../calendar/head.tsx'
import { itemsOf, itemsOn, type Span, weeksIn } from '../calendar/model.ts'
import { useOccurrences } from '../calendar/occurrences.ts'
import type { PrintProps } from './types.ts'

const weekday = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'long' })
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6].map((at) =>
  // The first of October 2023 was a Sunday.
  weekday.format(new Date(Date.UTC(2023, 9, 1 + FIRST_WEEKDAY + at, 12))),
)

/** The month or week in the address, with all tasks of each day. */
export function PrintedCalendar({ board, shown }: PrintProps) {
  const query = new URLSearchParams(location.search)
  const day = query.get('day') ?? dayOf(new Date())
  const span: Span = query.get('span') === 'week' ? 'week' : 'month'
  const weeks = weeksIn(day, span)
  const occurrences = useOccurrences(board.project_id, shown, weeks[0]![0]!, weeks.at(-1)!.at(-1)!)
  const items = [...itemsOf(shown), ...occurrences]
  return (
    <table className="printed-month">
      <caption>{titleOf({ day, span })}</caption>
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              <td key={date} className={date.slice(0, 7) === day.slice(0, 7) ? '' : 'other'}>
                <time dateTime={date}>{dateOf(date).getUTCDate()}</time>
                {itemsOn(items, date).map(({ key, card, done, isOccurrence }) => (
                  <p key={key} className={done || isOccurrence ? 'soft' : ''}>
                    {isOccurrence ? '↻ ' : ''}
                    {card.title}
                  </p>
                ))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
