import { dateOf, plus } from '../../parts/days.ts'
import { type Day, dayOf } from '../../parts/zone.ts'
import { between } from '../dates.ts'
import type { PrintedProps } from '../print.tsx'
import { spanWords } from '../timeline/bar.tsx'
import { type Row, rowsOf } from '../timeline/rows.ts'

const short = new Intl.DateTimeFormat(undefined, {
  ...{ timeZone: 'UTC', day: 'numeric', month: 'short' },
})
const MARKS = 6

/** From the first day of all to the last, as wide as the paper. */
export function PrintedTimeline({ shown, look, actors, labels, parentOf }: PrintedProps) {
  const world = { columns: shown, members: [], actors, labels, parentOf, isNarrow: true }
  const rows = rowsOf(look.lanes, world, undefined)
  const [from, to] = endsOf(rows)
  const all = between(from, to) + 1
  const part = (day: Day) => `${(between(from, day) / all) * 100}%`
  return (
    <div className="printed-time">
      <div className="printed-row">
        <span />
        <div className="printed-track">
          {Array.from({ length: MARKS }, (_, at) => plus(from, Math.floor((at * all) / MARKS))).map(
            (day) => (
              <span key={day} className="printed-mark" style={{ left: part(day) }}>
                {short.format(dateOf(day))}
              </span>
            ),
          )}
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
                  title={spanWords(row.days)}
                  style={{
                    left: part(row.days.from),
                    width: `${((between(row.days.from, row.days.to) + 1) / all) * 100}%`,
                  }}
                />
              ) : (
                <span className="soft">No dates</span>
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

function endsOf(rows: readonly Row[]): [Day, Day] {
  const days = rows.flatMap((row) =>
    row.is === 'task' && row.days ? [row.days.from, row.days.to] : [],
  )
  const today = dayOf(new Date())
  const sorted = [...days, today].sort()
  return [sorted[0]!, sorted.at(-1)!]
}
