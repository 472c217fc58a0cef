import type { Report } from '../../source.ts'
import { type Json, numberOf } from '../shared/json.ts'
import type { TypedValue } from '../shared/task-limits.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR
const WEEK = 7 * DAY
const MAX_INTERVAL = 999
const MONTHLY = 1
const FROM_COMPLETION = 2

/** The repeat rule of a task. Intervals that are not whole days become a custom field. */
export function repeatOf(
  task: Json,
  report: Report,
): { recurrence?: string; fields: TypedValue[] } {
  const seconds = numberOf(task.repeat_after) ?? 0
  if (task.repeat_mode === MONTHLY) return { recurrence: 'FREQ=MONTHLY', fields: [] }
  if (seconds <= 0) return { fields: [] }
  const isWeeks = seconds % WEEK === 0
  const interval = seconds / (isWeeks ? WEEK : DAY)
  if (Number.isInteger(interval) && interval <= MAX_INTERVAL) {
    const parts = [
      `FREQ=${isWeeks ? 'WEEKLY' : 'DAILY'}`,
      ...(interval > 1 ? [`INTERVAL=${interval}`] : []),
      ...(task.repeat_mode === FROM_COMPLETION ? ['FROM=COMPLETION'] : []),
    ]
    return { recurrence: parts.join(';'), fields: [] }
  }
  report.lose('A repeat rule', 'Tasks repeat after whole days')
  const words = seconds % HOUR ? `every ${seconds} seconds` : `every ${seconds / HOUR} hours`
  return { fields: [{ name: 'Repeats', type: 'text', value: words }] }
}
