import type { TypedValue } from '../shared/task-limits.ts'

interface Dates {
  due?: string | undefined
  deadline?: string | undefined
  recurrence?: string | undefined
}

/**
 * The date of Todoist says when to work on a task, and its deadline when it must be done. A repeat
 * counts from the date, so the deadline of a repeating task is a custom field.
 */
export function planDates({ due, deadline, recurrence }: Dates) {
  const fields: TypedValue[] = []
  const dates = { start_date: undefined as string | undefined, due_date: due, recurrence }
  if (!deadline) return { ...dates, fields }
  const isLate = due !== undefined && due.slice(0, 10) > deadline.slice(0, 10)
  if (recurrence || isLate) fields.push({ name: 'Deadline', type: 'date', value: deadline })
  else return { ...dates, start_date: due, due_date: deadline, fields }
  return { ...dates, fields }
}

/** A duration as a custom field, in minutes. */
export function durationField(amount: number, unit: string): TypedValue[] {
  if (!(amount > 0)) return []
  const minutes = unit === 'day' ? amount * 24 * 60 : amount
  return [{ name: 'Duration (minutes)', type: 'number', value: minutes }]
}
