import type { CustomField, Task } from '../../record.ts'
import type { Report } from '../../source.ts'

const MAX = { title: 500, text: 1_048_576, name: 100, value: 10_000, list: 1000 }
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,9})?Z)?$/

/** A custom field of a task with its type; the board gets the field from its tasks. */
export interface TypedValue {
  name: string
  /** Without it, the values of all tasks decide. */
  type?: CustomField['type'] | undefined
  value: string | number | boolean
}

export type TaskDraft = Omit<Task, 'fields'> & { fields?: TypedValue[] | undefined }

export const escapeHtml = (text: string) =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!)

/** A section of a description, in its format. */
export const section = (contentType: Task['content_type'], name: string, text: string): string =>
  contentType === 'html'
    ? `<h2>${escapeHtml(name)}</h2><p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
    : `## ${name}\n\n${text}`

/** Joins the parts of a description that are not empty. */
export const joinTexts = (...parts: (string | undefined)[]): string =>
  parts.flatMap((part) => (part?.trim() ? [part.trim()] : [])).join('\n\n')

/** A name of at most 100 characters. */
export const shortName = (name: string): string => cut(name.trim().replace(/\s+/g, ' '), MAX.name)

/** Cuts between characters, also between those that need two units. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const end = /[\uD800-\uDBFF]/.test(text[length - 1]!) ? length - 1 : length
  return text.slice(0, end)
}

export function fitText(text: string, what: string, report: Report): string {
  if (text.length <= MAX.text) return text
  report.lose(what, 'A text has at most 1,048,576 characters')
  return cut(text, MAX.text)
}

/** A title on one line; a longer one is complete at the top of the description. */
export function fitTitle(
  text: string,
  contentType: Task['content_type'],
  report: Report,
): { title: string; top: string } {
  const line = text.replace(/\s+/g, ' ').trim() || 'Untitled'
  if (line.length <= MAX.title) return { title: line, top: '' }
  const title = cut(line, MAX.title)
  report.lose(`End of the title of ${title.slice(0, 80)}…`, 'It is in the description')
  return { title, top: contentType === 'html' ? `<p>${escapeHtml(line)}</p>` : line }
}

/** Makes a task fit into the limits of a record. What does not fit moves to the description. */
export function fitTask(draft: TaskDraft, report: Report): TaskDraft {
  const task = { ...draft }
  const { title, top } = fitTitle(task.title, task.content_type, report)
  task.title = title
  const filled = (task.fields ?? []).filter(({ value }) => value !== '')
  const long = filled.filter(({ value }) => String(value).length > MAX.value)
  const fields = filled.filter((field) => !long.includes(field))
  task.fields = fields.length ? fields.slice(0, MAX.list) : undefined
  const ends = long.map(({ name, value }) => section(task.content_type, name, String(value)))
  const description = joinTexts(top, task.description, ...ends)
  task.description = description
    ? fitText(description, `End of the description of ${task.title}`, report)
    : undefined
  if (!description) task.content_type = undefined
  return fitDates(fitLists(task), report)
}

function fitLists(task: TaskDraft): TaskDraft {
  const labels = [...new Set((task.labels ?? []).map(shortName).filter(Boolean))]
  task.labels = labels.length ? labels.slice(0, MAX.list) : undefined
  const assignees = [...new Set(task.assignees ?? [])]
  task.assignees = assignees.length ? assignees.slice(0, MAX.list) : undefined
  if (typeof task.priority === 'string') task.priority = shortName(task.priority) || undefined
  if (task.key && task.key.length > 50) task.key = undefined
  return task
}

function fitDates(task: TaskDraft, report: Report): TaskDraft {
  for (const name of ['start_date', 'due_date'] as const)
    if (task[name] !== undefined && !DATE.test(task[name])) {
      report.lose(`${name} ${task[name]} of ${task.title}`, 'It is not a date')
      task[name] = undefined
    }
  for (const name of ['created_at', 'updated_at', 'completed_at'] as const)
    if (task[name] !== undefined && !MOMENT.test(task[name])) {
      report.lose(`${name} ${task[name]} of ${task.title}`, 'It is not a time')
      task[name] = undefined
    }
  return task
}
