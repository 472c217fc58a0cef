import { plain } from './table.ts'

type Row = Record<string, unknown>

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Formats a value in one line. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' && TIMESTAMP.test(value)) return localTime(new Date(value))
  if (Array.isArray(value)) return value.map(cell).filter(Boolean).join(', ')
  if (typeof value === 'object') return nameIn(value as Row) ?? shortText(value as Row)
  return plain(value)
}

/** Shows a lease by its id, and a task or a board by its key. An empty object is an empty text. */
const shortText = (row: Row) =>
  Object.keys(row).length ? plain(row.lease_id ?? row.ticket_number ?? row.key ?? row) : ''

/** The name of a person, a label or the like. */
export const nameIn = ({ name, label = name }: Row) =>
  typeof label === 'string' ? plain(label) : undefined

const localTime = (moment: Date) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(Temporal.Now.timeZoneId())
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ')
