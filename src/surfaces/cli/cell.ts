import { plain } from './table.ts'

type Row = Record<string, unknown>

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** One value in one line. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' && MOMENT.test(value)) return local(new Date(value))
  if (Array.isArray(value)) return value.map(cell).filter(Boolean).join(', ')
  if (typeof value === 'object') return nameIn(value as Row) ?? outline(value as Row)
  return plain(value)
}

/** A lease goes by its id, a task or a board by its key; what holds nothing needs no word. */
const outline = (row: Row) =>
  Object.keys(row).length ? plain(row.lease_id ?? row.ticket_number ?? row.key ?? row) : ''

/** What a person, a label or the like is called. */
export const nameIn = ({ name, label = name }: Row) =>
  typeof label === 'string' ? plain(label) : undefined

const local = (moment: Date) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(Temporal.Now.timeZoneId())
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ')
