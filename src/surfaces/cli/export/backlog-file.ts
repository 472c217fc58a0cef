import { fileName } from '../../../import/sources/backlog/file-name.ts'

/** The file format of Backlog.md (https://github.com/MrLesk/Backlog.md), version 1.50. */

/** The head of an exported JSON document. */
export interface Board {
  key: string
  title: string
  columns: { title: string; done: boolean }[]
}

export interface Task {
  /** The number in its key. */
  unique_index: number
  title: string
  description: string | null
  section: string
  assignees: { name: string }[]
  created_by: { name: string }
  labels: { name: string }[]
  priority_name: string
  due_date: string | null
  parent: string | null
  relations: { relation_type: string; ticket_number: string }[]
  comments: { author: { name: string }; text: string; created_at: string }[]
  created_at: string
  updated_at: string
  url: string
}

/**
 * Ids are the keys of the tasks, if the key of the board may be a prefix there: letters only.
 * Otherwise they are TASK-1, TASK-2 and so on.
 */
export class TaskIds {
  readonly prefix: string

  constructor(private readonly key: string) {
    this.prefix = prefixOf(key)
  }

  /** The id of a task of the board; undefined for one of another board. */
  of(ticket_number: string): string | undefined {
    const [, key, number] = /^(.+)-(\d+)$/.exec(ticket_number) ?? []
    return key === this.key ? `${this.prefix}-${number}` : undefined
  }
}

const prefixOf = (key: string) => (/^[A-Z]+$/.test(key) ? key : 'TASK')

export function backlogConfig({ key, title, columns }: Board): string {
  const statuses = [...columns.filter(({ done }) => !done), ...columns.filter(({ done }) => done)]
  const [first] = statuses
  return [
    `project_name: ${plainQuote(title)}`,
    ...(first ? [`default_status: ${plainQuote(first.title)}`] : []),
    `statuses: [${statuses.map((column) => quote(column.title)).join(', ')}]`,
    'labels: []',
    'priorities: ["urgent", "high", "medium", "low"]',
    'date_format: yyyy-mm-dd hh:mm',
    `task_prefix: ${quote(prefixOf(key).toLowerCase())}`,
    '',
  ].join('\n')
}

/** The file of a task. `position` is its place among all tasks. */
export function taskFile(task: Task, ids: TaskIds, position: number) {
  const id = `${ids.prefix}-${task.unique_index}`
  const { description, criteria } = splitDescription(task.description ?? '')
  const sections = [
    section('Description', 'SECTION:DESCRIPTION', description),
    section('Acceptance Criteria', 'AC', criteria),
    section('Comments', 'COMMENTS', task.comments.map(commentText).join('\n\n')),
  ]
  const text = ['---', ...frontMatter(task, id, ids, position), '---', '', ...sections]
  return { name: fileName(id, task.title), text: text.filter(isPresent).join('\n') }
}

const isPresent = (text: string | undefined) => text !== undefined

function frontMatter(task: Task, id: string, ids: TaskIds, position: number): string[] {
  const { title, section, assignees, labels, priority_name, due_date, parent, relations } = task
  const blockers = relations.filter(({ relation_type }) => relation_type === 'BlockedBy')
  const parentId = parent === null ? undefined : ids.of(parent)
  return [
    `id: ${quote(id)}`,
    `title: ${quote(title)}`,
    `status: ${quote(section)}`,
    ...list('assignee', names(assignees)),
    `reporter: ${quote(task.created_by.name)}`,
    `created_date: ${quote(toMinute(task.created_at))}`,
    `updated_date: ${quote(toMinute(task.updated_at))}`,
    ...(due_date === null ? [] : [`due_date: ${quote(toMinute(due_date))}`]),
    ...list('labels', names(labels)),
    ...list(
      'dependencies',
      blockers.flatMap(({ ticket_number }) => ids.of(ticket_number) ?? []),
    ),
    ...list('references', [task.url]),
    ...(parentId === undefined ? [] : [`parent_task_id: ${quote(parentId)}`]),
    ...(priority_name === 'None' ? [] : [`priority: ${priority_name.toLowerCase()}`]),
    `ordinal: ${(position + 1) * 1000}`,
  ]
}

const names = (named: readonly { name: string }[]) => named.map(({ name }) => name)

/** Every JSON string is a string in YAML. */
const quote = (text: string) => JSON.stringify(text)

/** Outside of lists, Backlog.md knows no escapes in the configuration. */
const plainQuote = (text: string) => `"${text.replace(/["\\]/g, "'")}"`

const list = (name: string, values: readonly string[]) =>
  values.length ? [`${name}:`, ...values.map((value) => `  - ${quote(value)}`)] : [`${name}: []`]

/** A time to the minute in UTC. A due date without a time means the end of that day. */
const toMinute = (date: string) =>
  date.includes('T') ? date.slice(0, 16).replace('T', ' ') : `${date} 23:59`

function section(title: string, marker: string, content: string): string | undefined {
  if (!content) return undefined
  return `## ${title}\n\n<!-- ${marker}:BEGIN -->\n${content}\n<!-- ${marker}:END -->\n`
}

const CRITERIA = /^#{1,6} +acceptance criteria:? *\n+((?: *[-*] \[[ xX]\] .*(?:\n+|$))+)/im

/** Takes a checklist under the heading "Acceptance criteria" out of a description. */
function splitDescription(markdown: string) {
  const text = safeText(markdown)
  const match = CRITERIA.exec(text)
  const items = match?.[1]?.match(/\[[ xX]\] .*/g) ?? []
  return {
    description: (match ? text.replace(match[0], '') : text).trim(),
    criteria: items
      .map((item, at) => `- ${item.slice(0, 3).toLowerCase()} #${at + 1} ${item.slice(4)}`)
      .join('\n'),
  }
}

const commentText = ({ author, text, created_at }: Task['comments'][number]) =>
  [
    `author: ${safeText(author.name)}`,
    `created: ${toMinute(created_at)}`,
    '---',
    // A line of hyphens would end the comment; asterisks are the same rule in markdown.
    safeText(text).replace(/^---$/gm, '***'),
    '---',
  ].join('\n')

/** Disarms the markers that structure a file, which a text may contain too. */
const safeText = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/<!--(?= (?:SECTION:\w+|COMMENTS?|AC|DOD):(?:BEGIN|END) -->)/g, '&lt;!--')
    .trim()
