import type { Board, Column, Comment, Task } from '../../record.ts'
import type { Report } from '../../source.ts'
import {
  addExtra,
  addSection,
  describe,
  type Extras,
  fieldValues,
  noExtras,
} from '../shared/extras.ts'
import { isObject, type Json, listOf, stringOf, stringsOf } from '../shared/json.ts'
import { cut, fitText, fitTitle } from '../shared/limits.ts'
import type { People } from '../shared/named-people.ts'
import { uniqueId, wordsOf } from '../shared/names.ts'
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

export function labelsOf(issue: Json): string[] {
  const flags = Object.entries(FLAGS).flatMap(([name, label]) => (issue[name] ? [label] : []))
  return [...new Set([...stringsOf(issue.labels).map((label) => cut(label, 100)), ...flags])]
}

export function taskOf(
  id: string,
  issue: Json,
  { extras, board, parent }: { extras: Extras; board: Board; parent: string | undefined },
  people: People,
  report: Report,
): Task {
  const text = describe(stringOf(issue.description), extras)
  const { title, description } = fitTitle(stringOf(issue.title) || id, text)
  const priority = priorityOf(issue.priority)
  const author = people.idOf(stringOf(issue.created_by))
  return {
    id,
    board: board.id,
    column: columnOf(issue),
    title,
    ...(id.length <= 50 && { key: id }),
    description: fitText(description, `Description of ${id}`, report),
    content_type: 'markdown',
    ...(priority !== undefined && { priority }),
    labels: labelsOf(issue),
    assignees: stringsOf(issue.assignee).flatMap((name) => people.idOf(name) ?? []),
    ...(parent !== undefined && { parent }),
    fields: fieldValues(extras, board.fields),
    ...(author && { created_by: author }),
    ...datesOf(issue),
  }
}

function datesOf(issue: Json) {
  const dates = {
    start_date: dayOrMomentOf(issue.defer_until),
    due_date: dayOrMomentOf(issue.due_at),
    created_at: momentOf(issue.created_at),
    updated_at: momentOf(issue.updated_at),
    completed_at: DONE.has(columnOf(issue)) ? momentOf(issue.closed_at) : undefined,
  }
  return Object.fromEntries(Object.entries(dates).filter(([, date]) => date))
}

/** Older files number the comments anew in each copy of the database: their times are the ids. */
export function commentsOf(id: string, issue: Json, people: People, report: Report): Comment[] {
  const taken = new Set<string>()
  return listOf(issue.comments).flatMap((comment) => {
    const text = isObject(comment) ? stringOf(comment.text) : stringOf(comment)
    if (!text) return []
    const { id: own, author, created_at } = isObject(comment) ? comment : {}
    const name = (typeof own === 'string' && own) || stringOf(created_at) || 'comment'
    const commentId = uniqueId(`${id}:${cut(name, 90)}`, taken)
    taken.add(commentId)
    const person = people.idOf(stringOf(author))
    const created = momentOf(created_at)
    return {
      id: commentId,
      task: id,
      text: fitText(text, `A comment of ${id}`, report),
      content_type: 'markdown' as const,
      ...(person && { author: person }),
      ...(created && { created_at: created }),
    }
  })
}
