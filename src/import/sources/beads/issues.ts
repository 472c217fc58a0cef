import type { Column, Task } from '../../record.ts'
import {
  addExtra,
  addSection,
  describe,
  type Extras,
  fieldsOf,
  noExtras,
  personOf,
} from '../shared/extras.ts'
import { isObject, type Json, listOf, stringOf, stringsOf } from '../shared/json.ts'
import { wordsOf } from '../shared/names.ts'
import type { RecordCollector } from '../shared/record-collector.ts'
import { cut } from '../shared/task-limits.ts'
import { dayOrMomentOf, momentOf } from '../shared/times.ts'
import { FIELD_NAMES, OWN_FIELDS, SECTION_NAMES } from './fields.ts'

const ORDER = ['Open', 'Hooked', 'In progress', 'Blocked', 'Deferred', 'Pinned', 'Closed']
const ALWAYS = new Set(['Open', 'In progress', 'Closed'])
const DONE = new Set(['Closed', 'Done', 'Completed', 'Resolved'])

const columnOf = ({ status }: Json): string => cut(wordsOf(stringOf(status)), 200) || 'Open'

export function columnsOf(issues: Iterable<Json>): Column[] {
  const used = new Set([...issues].map(columnOf))
  const own = [...used].filter((title) => !ORDER.includes(title))
  const titles = ORDER.filter((title) => ALWAYS.has(title) || used.has(title))
  titles.splice(titles.indexOf('Closed'), 0, ...own)
  return titles.map((title) => ({ title, done: DONE.has(title) }))
}

export function extrasOf(issue: Json, links: readonly string[]): Extras {
  const extras = noExtras()
  for (const [name, title] of Object.entries(SECTION_NAMES)) addSection(extras, title, issue[name])
  for (const [name, title] of Object.entries(FIELD_NAMES)) addExtra(extras, title, issue[name])
  addExtra(extras, 'Started at', momentOf(issue.started_at)?.slice(0, 10))
  if (!isScale(issue.priority)) addExtra(extras, 'Priority', numberIn(issue.priority))
  const metadata = metadataOf(issue.metadata)
  const others = Object.entries(issue).filter(([name]) => !OWN_FIELDS.has(name))
  for (const [name, value] of [...others, ...Object.entries(metadata)])
    addExtra(extras, wordsOf(name), value)
  addSection(extras, 'Links', links.join('\n'))
  return extras
}

/** Metadata is an object, or the JSON text of one. */
function metadataOf(value: unknown): Json {
  if (isObject(value)) return value
  if (typeof value !== 'string' || !value.trim()) return {}
  try {
    const parsed: unknown = JSON.parse(value)
    if (isObject(parsed)) return parsed
  } catch {
    // It is a plain text.
  }
  return { metadata: value }
}

const isScale = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 4
const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** 0 is critical and 4 is the backlog, which has no priority of ours. */
function priorityOf(value: unknown): Task['priority'] {
  if (isScale(value)) return value === 4 ? 0 : (value as number) + 1
  return typeof value === 'string' ? cut(value.trim(), 100) || undefined : undefined
}

const FLAGS = { pinned: 'pinned', ephemeral: 'ephemeral', is_template: 'template' } as const

function labelsOf(issue: Json): string[] {
  const flags = Object.entries(FLAGS).flatMap(([name, label]) => (issue[name] ? [label] : []))
  return [...new Set([...stringsOf(issue.labels).map((label) => cut(label, 100)), ...flags])]
}

export function addIssue(
  id: string,
  issue: Json,
  { extras, board, parent }: { extras: Extras; board: string; parent: string | undefined },
  records: RecordCollector,
): void {
  const column = columnOf(issue)
  const created_by = personOf(stringOf(issue.created_by), records)
  records.task({
    id,
    board,
    column,
    title: stringOf(issue.title) || id,
    key: id,
    description: describe(stringOf(issue.description), extras),
    content_type: 'markdown',
    priority: priorityOf(issue.priority),
    labels: labelsOf(issue),
    assignees: stringsOf(issue.assignee).flatMap((name) => personOf(name, records) ?? []),
    parent,
    fields: fieldsOf(extras, ['Type']),
    created_by,
    start_date: dayOrMomentOf(issue.defer_until),
    due_date: dayOrMomentOf(issue.due_at),
    created_at: momentOf(issue.created_at),
    updated_at: momentOf(issue.updated_at),
    completed_at: DONE.has(column) ? momentOf(issue.closed_at) : undefined,
  })
  addComments(id, issue, records)
}

/** Older files renumber the comments in each copy of the database: their times are the ids. */
function addComments(task: string, issue: Json, records: RecordCollector): void {
  for (const comment of listOf(issue.comments)) {
    const { id, author, created_at, text } = isObject(comment) ? comment : { text: comment }
    const name = (typeof id === 'string' && id) || stringOf(created_at) || 'comment'
    records.comment({
      id: `${task}:${cut(name, 90)}`,
      task,
      text: stringOf(text),
      content_type: 'markdown',
      author: personOf(stringOf(author), records),
      created_at: momentOf(created_at),
    })
  }
}
