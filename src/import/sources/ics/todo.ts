import type { Attachment } from '../../record.ts'
import type { Report } from '../../source.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import type { RecordCollector } from '../shared/record-collector.ts'
import { supportedRule } from '../shared/repeat-rules.ts'
import type { TypedValue } from '../shared/task-limits.ts'
import {
  type Component,
  type Property,
  parameterOf,
  textOfProperty,
  textsOf,
  valuesOf,
} from './parse.ts'
import { dateOf, dueOf, momentOf } from './times.ts'

interface Context {
  board: BoardDraft
  zone: string
  collector: RecordCollector
  report: Report
}

const COLUMNS: Readonly<Record<string, string>> = {
  'NEEDS-ACTION': 'Needs action',
  'IN-PROCESS': 'In progress',
  COMPLETED: 'Done',
  CANCELLED: 'Cancelled',
}
const KNOWN_X = new Set([
  'x-alt-desc',
  'x-apple-sort-order',
  'x-oc-hidesubtasks',
  'x-oc-hidecompletedsubtasks',
  'x-pinned',
])
export const isTechnicalX = (name: string) =>
  KNOWN_X.has(name) || /^x-(?:moz|microsoft)/.test(name) || name.startsWith('x-evolution')

/** Adds a to-do with what belongs to it; returns the id of its task. */
export function addTodo(todo: Component, context: Context): string {
  const { board, zone, collector } = context
  const occurrence = dateOf(todo, 'recurrence-id', zone)
  const title = textOfProperty(todo, 'summary')
  const uid =
    textOfProperty(todo, 'uid') ||
    `${title.slice(0, 300)} ${textOfProperty(todo, 'created')}`.trim() ||
    'to-do'
  const [organizer] = todo.getAllProperties('organizer').map((one) => personOf(one, collector))
  const people = todo.getAllProperties('attendee').map((one) => personOf(one, collector))
  const completed_at = momentOf(todo, 'completed', zone)
  const repeat = repeatOf(todo, context)
  const id = collector.task({
    id: occurrence ? `${uid}/${occurrence}` : uid,
    board: board.id,
    column: columnOf(todo, board),
    title,
    description: textsOf(todo, 'description').join('\n\n'),
    content_type: 'markdown',
    priority: priorityOf(textOfProperty(todo, 'priority')),
    start_date: dateOf(todo, 'dtstart', zone),
    due_date: dueOf(todo, zone),
    recurrence: repeat.rule,
    labels: textsOf(todo, 'categories').flatMap((text) => text.split(',')),
    assignees: people.filter((person) => person !== undefined),
    created_by: organizer,
    created_at: momentOf(todo, 'created', zone),
    updated_at: momentOf(todo, 'last-modified', zone),
    completed_at,
    fields: [...repeat.fields, ...fieldsOf(todo)],
  })
  loseUnreadableTimes(todo, title || uid, context)
  addBelongings(todo, id, collector)
  return id
}

const TIMES = ['recurrence-id', 'dtstart', 'due', 'created', 'last-modified', 'completed']

/** A time that cannot be read is left out of its task. */
function loseUnreadableTimes(todo: Component, title: string, { zone, report }: Context): void {
  for (const name of TIMES)
    if (todo.getFirstProperty(name) && dateOf(todo, name, zone) === undefined)
      report.lose(`${name.toUpperCase()} of "${title}"`, 'It is no time')
}

function columnOf(todo: Component, board: BoardDraft): string {
  const status = textOfProperty(todo, 'status').toUpperCase()
  const isDone = status === 'COMPLETED' || todo.hasProperty('completed')
  if (isDone || textOfProperty(todo, 'percent-complete') === '100') return board.doneColumn()
  const title = COLUMNS[status] ?? (status || 'Needs action')
  return board.column(title, status === 'CANCELLED' ? { done: true } : {})
}

function priorityOf(text: string): number {
  const value = Number(text)
  if (!(value >= 1 && value <= 9)) return 0
  return value === 1 ? 1 : value < 5 ? 2 : value === 5 ? 3 : 4
}

function personOf(property: Property, collector: RecordCollector): string | undefined {
  const address = String(valuesOf(property)[0] ?? '').replace(/^mailto:/i, '')
  const email = parameterOf(property, 'email') || (address.includes('@') ? address : '')
  return collector.person(email || address, parameterOf(property, 'cn'), email)
}

function repeatOf(todo: Component, { report }: Context) {
  const rules = textsOf(todo, 'rrule')
  const [rule] = rules
  const supported = rules.length === 1 ? supportedRule(rule!) : undefined
  if (!rule || supported) return { rule: supported, fields: [] }
  report.lose(`Repeat ${rule}`, 'It is in the custom field Repeats')
  const field: TypedValue = { name: 'Repeats', type: 'text', value: rules.join('\n') }
  return { rule: undefined, fields: [field] }
}

const TEXTS: readonly [name: string, field: string, type: TypedValue['type']][] = [
  ['contact', 'Contact', 'text'],
  ['location', 'Location', 'text'],
  ['geo', 'Coordinates', 'text'],
  ['resources', 'Resources', 'text'],
  ['url', 'URL', 'url'],
  ['link', 'Link', 'text'],
  ['conference', 'Conference', 'text'],
]

function fieldsOf(todo: Component): TypedValue[] {
  const fields: TypedValue[] = []
  const percent = Number(textOfProperty(todo, 'percent-complete'))
  if (percent > 0 && percent < 100)
    fields.push({ name: 'Percent complete', type: 'number', value: percent })
  for (const [name, field, type] of TEXTS) {
    const value = textsOf(todo, name).join(', ')
    if (value) fields.push({ name: field, type, value })
  }
  const access = textOfProperty(todo, 'class').toLowerCase()
  if (access && access !== 'public') fields.push({ name: 'Class', type: 'select', value: access })
  for (const property of todo.getAllProperties()) {
    const value = valuesOf(property).map(String).join(', ').trim()
    if (property.name.startsWith('x-') && !isTechnicalX(property.name) && value)
      fields.push({ name: property.name.toUpperCase(), type: 'text', value })
  }
  return fields
}

function addBelongings(todo: Component, id: string, collector: RecordCollector): void {
  textsOf(todo, 'comment').forEach((text, at) => {
    collector.comment({ id: `${id}/comment ${at + 1}`, task: id, text, content_type: 'markdown' })
  })
  const files = [...todo.getAllProperties('attach'), ...todo.getAllProperties('image')]
  files.forEach((property, at) => {
    const file = fileOf(property)
    if (!file) collector.report.lose(`File ${at + 1} of ${id}`, 'It has no content and no address')
    else collector.attachment({ id: `${id}/file ${at + 1}`, task: id, ...file })
  })
}

type FileContent = Pick<Attachment, 'filename' | 'url' | 'content_type' | 'bytes'>

function fileOf(property: Property): FileContent | undefined {
  const [value] = valuesOf(property)
  const content_type = parameterOf(property, 'fmttype') || undefined
  const named = ['x-filename', 'filename', 'x-label', 'x-apple-filename']
    .map((name) => parameterOf(property, name))
    .find(Boolean)
  if (typeof value === 'string' && /^https?:/.test(value)) {
    const last = value.split(/[?#]/)[0]!.split('/').at(-1)
    return { filename: named || safeDecode(last ?? '') || 'file', url: value, content_type }
  }
  const isInline = typeof value === 'object' && value !== null && 'decodeValue' in value
  const base64 = isInline ? String(value) : ''
  const bytes = base64 ? bytesOf(base64) : undefined
  if (!bytes) return undefined
  return { filename: named || 'file', content_type, bytes: async () => bytes }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64.replace(/\s/g, '')), (sign) => sign.charCodeAt(0))
  } catch {
    return undefined
  }
}
