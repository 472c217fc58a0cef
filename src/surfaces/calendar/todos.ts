import { type CalendarInfo, END, heading, TimeZones } from './document.ts'
import { dateLine, isDay, partsOf, type Repeat, taskLines } from './event.ts'
import { basicDateTime, line } from './lines.ts'

/** A task in an export. */
interface Task {
  task_id: number
  ticket_number: string
  title: string
  description: string | null
  url: string
  labels: readonly { name: string }[]
  priority: number
  due_date: string | null
  start_date: string | null
  created_at: string
  updated_at: string
  completed_at: string | null
  parent_task_id: number | null
  repeat: Repeat | null
}

interface Column {
  role: string
  done: boolean
}

/** Long lines take long to fold. */
const MAX_TEXT = 2000
const STARTED = ['building', 'verify']

/** Writes an iCalendar document of to-dos piece by piece. Days are those of the time zone. */
export function todoWriter(info: CalendarInfo & { time_zone: string }) {
  const zones = new TimeZones()
  return {
    head: () => heading(info),
    task(task: Task, column: Column): string {
      zones.add(task.repeat)
      const { task_id, due_date, repeat } = task
      const uid = (id: number, suffix = '') => `todo-${id}${suffix}@${info.host}`
      const write = (suffix: string, dates: string) =>
        todo(task, column, [
          line(`UID:${uid(task_id, suffix)}`),
          dates,
          task.parent_task_id === null ? '' : line(`RELATED-TO:${uid(task.parent_task_id)}`),
        ])
      const start = startLine(task, info.time_zone)
      if (due_date === null) return write('', start)
      const dates = (date: string, zone?: string) =>
        // A rule counts dates from the start, so it is the due date, though RFC 5545 wants it earlier.
        (zone ? dateLine('DTSTART', date, zone) : date === due_date ? start : '') +
        dateLine('DUE', date, zone)
      return partsOf({ due_date, repeat }, { write, dates })
    },
    end: () => zones.text() + END,
  }
}

/** The start, in the form of the due date. RFC 5545 allows none at or after the due date. */
function startLine({ start_date, due_date }: Task, time_zone: string): string {
  if (start_date === null) return ''
  const start =
    due_date !== null && isDay(due_date)
      ? Temporal.Instant.from(start_date).toZonedDateTimeISO(time_zone).toPlainDate().toString()
      : start_date
  const isBefore =
    due_date === null || (isDay(due_date) ? start < due_date : precedes(start, due_date))
  return isBefore ? dateLine('DTSTART', start) : ''
}

const precedes = (start: string, end: string) => Date.parse(start) < Date.parse(end)

function todo(task: Task, { role, done }: Column, ownLines: readonly string[]): string {
  const { description, labels, completed_at } = task
  const text = (description ?? '').trim().slice(0, MAX_TEXT)
  const status = done ? 'COMPLETED' : STARTED.includes(role) ? 'IN-PROCESS' : 'NEEDS-ACTION'
  return [
    line('BEGIN:VTODO'),
    ...ownLines,
    taskLines({ ...task, text, labels: labels.map(({ name }) => name) }),
    line(`CREATED:${basicDateTime(task.created_at)}`),
    line(`STATUS:${status}`),
    done && completed_at ? line(`COMPLETED:${basicDateTime(completed_at)}`) : '',
    line('END:VTODO'),
  ].join('')
}
