import { addDays, dateOf, daysBetween } from '../../../kit/days.ts'
import { locale } from '../../../kit/locale.ts'
import { type Day, dayOf } from '../../../kit/zone.ts'
import { t } from '../../../messages/t.ts'
import { spanText } from '../span.ts'
import { type Row, rowsOf } from '../timeline/rows.ts'
import type { PrintProps } from './types.ts'

const dayFormat = new Intl.DateTimeFormat(locale, {
  ...{ timeZone: 'UTC', day: 'numeric', month: 'short' },
})
const MARK_COUNT = 6

/** The timeline from the first to the last day, across the page. */
export function PrintedTimeline({ shown, boardQuery, actors, labels, parentOf }: PrintProps) {
  const source = { columns: shown, members: [], actors, labels, parentOf, isFiltered: true }
  const rows = rowsOf(boardQuery.lanes, source, undefined)
  const [from, to] = dateRange(rows)
  const dayCount = daysBetween(from, to) + 1
  const percent = (day: Day) => `${(daysBetween(from, day) / dayCount) * 100}%`
  return (
    <div className="printed-time">
      <div className="printed-row">
        <span />
        <div className="printed-track">
          {Array.from({ length: MARK_COUNT }, (_, at) =>
            addDays(from, Math.floor((at * dayCount) / MARK_COUNT)),
          ).map((day) => (
            <span key={day} className="printed-mark" style={{ left: percent(day) }}>
              {dayFormat.format(dateOf(day))}
            </span>
          ))}
        </div>
      </div>
      {rows.map((row) =>
        row.is === 'task' ? (
          <div key={row.key} className="printed-row">
            <span>
              {row.card.ticket_number} {row.card.title}
            </span>
            <div className="printed-track">
              {row.days ? (
                <div
                  className={row.done ? 'printed-bar done' : 'printed-bar'}
                  title={spanText(row.days)}
                  style={{
                    left: percent(row.days.from),
                    width: `${((daysBetween(row.days.from, row.days.to) + 1) / dayCount) * 100}%`,
                  }}
                />
              ) : (
                <span className="soft">{t('board.no_dates')}</span>
              )}
            </div>
          </div>
        ) : (
          <h2 key={row.key}>
            {row.group.name} <span className="soft">{row.group.total}</span>
          </h2>
        ),
      )}
    </div>
  )
}

function dateRange(rows: readonly Row[]): [Day, Day] {
  const days = rows.flatMap((row) =>
    row.is === 'task' && row.days ? [row.days.from, row.days.to] : [],
  )
  const today = dayOf(new Date())
  const sorted = [...days, today].sort()
  return [sorted[0]!, sorted.at(-1)!]
}
