import type { stringify } from 'csv-stringify/sync'
import type { Plan, Task, Writer } from './task.ts'

const FIELDS: Record<string, (task: Task) => string | null> = {
  key: (task) => task.ticket_number,
  title: (task) => task.title,
  column: (task) => task.section,
  done: (task) => String(task.done),
  priority: (task) => (task.priority ? task.priority_name : ''),
  size: (task) => (task.size === 'none' ? '' : task.size),
  labels: (task) => namesOf(task.labels),
  assignees: (task) => namesOf(task.assignees),
  creator: (task) => task.created_by.name,
  due_date: (task) => task.due_date,
  start_date: (task) => task.start_date,
  recurrence: (task) => task.recurrence,
  parent: (task) => task.parent,
  blocked_by: (task) => blockersOf(task).join('; '),
  created: (task) => task.created_at,
  updated: (task) => task.updated_at,
  completed: (task) => task.completed_at,
  url: (task) => task.url,
  description: (task) => task.description?.trim() ?? null,
}

const namesOf = (named: readonly { name: string }[]) => named.map(({ name }) => name).join('; ')

const blockersOf = ({ relations }: Task) =>
  relations.flatMap(({ relation_type, ticket_number }) =>
    relation_type === 'BlockedBy' ? ticket_number : [],
  )

/** A row for each task, with a column for each field and each custom field of the board. */
export function csvWriter({ custom_fields }: Plan, toCsv: typeof stringify): Writer {
  const write = (values: readonly (string | number | null)[]) =>
    toCsv([values], { escape_formulas: true })
  return {
    head: () => write([...Object.keys(FIELDS), ...custom_fields.map(({ name }) => name)]),
    task: (task) =>
      write([
        ...Object.values(FIELDS).map((value) => value(task)),
        ...custom_fields.map(({ field_id }) => customValue(task, field_id)),
      ]),
    end: () => '',
  }
}

function customValue(task: Task, field_id: string): string | number | null {
  const field = task.custom_fields.find((one) => one.field_id === field_id)
  if (!field) return null
  const value = field.label ?? field.value
  return typeof value === 'boolean' ? String(value) : value
}
