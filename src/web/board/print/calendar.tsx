import { dateOf } from '../../parts/days.ts'
import { FIRST } from '../../parts/weeks.ts'
import { dayOf } from '../../parts/zone.ts'
import { useAgain } from '../calendar/again.ts'
import { titleOf } from '../calendar/head.tsx'
import { itemsOf, onDay, type Span, weeksIn } from '../calendar/model.ts'
import type { PrintedProps } from '../print.tsx'

const weekday = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', weekday: 'long' })
const HEADS = [0, 1, 2, 3, 4, 5, 6].map((at) =>
  // The first of October 2023 was a Sunday.
  weekday.format(new Date(Date.UTC(2023, 9, 1 + FIRST + at, 12))),
)

/** The month or the week that the address names, with all of each day. */
export function PrintedCalendar({ board, shown }: PrintedProps) {
  const query = new URLSearchParams(location.search)
  const day = query.get('day') ?? dayOf(new Date())
  const span: Span = query.get('span') === 'week' ? 'week' : 'month'
  const weeks = weeksIn(day, span)
  const again = useAgain(board.project_id, shown, weeks[0]![0]!, weeks.at(-1)!.at(-1)!)
  const items = [...itemsOf(shown), ...again]
  return (
    <table className="printed-month">
      <caption>{titleOf({ day, span })}</caption>
      <thead>
        <tr>
          {HEADS.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((one) => (
              <td key={one} className={one.slice(0, 7) === day.slice(0, 7) ? '' : 'other'}>
                <time dateTime={one}>{dateOf(one).getUTCDate()}</time>
                {onDay(items, one).map(({ key, card, done, isAgain }) => (
                  <p key={key} className={done || isAgain ? 'soft' : ''}>
                    {isAgain ? '↻ ' : ''}
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
