import type { Column } from '../../record.ts'
import type { Report } from '../../source.ts'
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
import { uniqueId, wordsOf } from '../shared/names.ts'
import type { RecordCollector } from '../shared/record-collector.ts'
import { cut } from '../shared/task-limits.ts'
import { dayOrMomentOf, momentOf } from '../shared/times.ts'
import { SECTIONS, TECHNICAL } from './fields.ts'
import { complexityKey, type Project, type TaskList } from './project.ts'

/** A task or subtask. Its id is like 5.2 for the second subtask of task 5. */
export interface Node {
  id: string
  parent: string | undefined
  content: Json
  extras: Extras
}

export const boardIdOf = ({ root, tag }: TaskList): string => (root ? `${root}:${tag}` : tag)
export const taskIdOf = (list: TaskList, id: string): string => `${boardIdOf(list)}:${id}`

/** All tasks and subtasks of a list by their ids. */
export function nodesOf(list: TaskList, project: Project, report: Report): Map<string, Node> {
  const nodes = new Map<string, Node>()
  const queue = listOf(list.content.tasks).map((task, at) => ({ task, at, parent: '' }))
  for (let next = 0; next < queue.length; next++) {
    const { task, at, parent } = queue[next]!
    const content = typeof task === 'string' ? { title: task } : task
    if (!isObject(content)) {
      report.lose(`Task ${at + 1} of ${parent || list.tag}`, 'It has no content')
      continue
    }
    const own = stringOf(content.id) || String(at + 1)
    const full = !parent || own.startsWith(`${parent}.`) ? own : `${parent}.${own}`
    const id = uniqueId(cut(full, 200), nodes)
    const extras = extrasOf(
      content,
      id,
      project.complexity.get(complexityKey(list.root, list.tag, id)),
    )
    nodes.set(id, { id, parent: parent || undefined, content, extras })
    for (const [index, child] of listOf(content.subtasks).entries())
      queue.push({ task: child, at: index, parent: id })
  }
  return nodes
}

/** The fields with a place of their own. All others are custom fields or sections. */
const OWN = new Set(
  `id title description details testStrategy status priority dependencies subtasks assignee labels
  tags createdAt updatedAt completedAt dueDate metadata parentId parentTaskId parentTask isSubtask
  databaseId`.split(/\s+/),
)

function extrasOf(task: Json, id: string, analysis: Json | undefined): Extras {
  const extras = noExtras()
  if (!hasKey(id)) extras.fields.set('Task ID', id)
  addSection(extras, 'Details', task.details)
  addSection(extras, 'Test strategy', task.testStrategy)
  const metadata = isObject(task.metadata) ? task.metadata : { metadata: task.metadata }
  const others = Object.entries(task).filter(([name]) => !OWN.has(name))
  for (const [name, value] of [...others, ...Object.entries(metadata)])
    if (SECTIONS.has(name)) addSection(extras, wordsOf(name), value)
    else addExtra(extras, name === 'complexityScore' ? 'Complexity' : wordsOf(name), value)
  if (analysis) addAnalysis(extras, task, analysis)
  return extras
}

/** Adds what a complexity report says, unless the task says it too. */
function addAnalysis(extras: Extras, task: Json, analysis: Json): void {
  const { complexityScore, complexity, recommendedSubtasks, expansionPrompt } = analysis
  if (!extras.fields.has('Complexity'))
    addExtra(extras, 'Complexity', complexityScore ?? complexity)
  if (task.recommendedSubtasks === undefined)
    addExtra(extras, 'Recommended subtasks', recommendedSubtasks)
  if (!task.expansionPrompt) addSection(extras, 'Expansion prompt', expansionPrompt)
  if (!task.complexityReasoning)
    addSection(extras, 'Complexity reasoning', analysis.complexityReasoning ?? analysis.reasoning)
}

const hasKey = (id: string) => /^[a-z]/i.test(id) && id.length <= 50

const COLUMNS = ['Pending', 'In progress', 'Review', 'Blocked', 'Deferred', 'Done', 'Cancelled']
const ALWAYS = new Set(['Pending', 'In progress', 'Done'])
const OTHER_WORDS: Record<string, string> = { Completed: 'Done', Canceled: 'Cancelled' }

export function columnOf({ content }: Pick<Node, 'content'>): string {
  const title = cut(wordsOf(stringOf(content.status)), 200) || 'Pending'
  return OTHER_WORDS[title] ?? title
}

function columnsOf(nodes: Iterable<Node>): Column[] {
  const used = new Set([...nodes].map(columnOf))
  const own = [...used].filter((title) => !COLUMNS.includes(title))
  const titles = COLUMNS.filter((title) => ALWAYS.has(title) || used.has(title))
  titles.splice(titles.indexOf('Done'), 0, ...own)
  return titles.map((title) => ({ title, done: title === 'Done' }))
}

/** Adds the board of a list with its columns. */
export function addBoard(
  list: TaskList,
  nodes: Map<string, Node>,
  title: string,
  records: RecordCollector,
): void {
  const { metadata, description } = list.content
  const about = isObject(metadata) ? metadata : {}
  const extras = noExtras()
  const others = Object.entries({ ...list.content, ...about })
  addSection(extras, 'About', Object.fromEntries(others.filter(([name]) => !TECHNICAL.has(name))))
  const text = describe(stringOf(about.description) || stringOf(description), extras)
  const board = records.board(boardIdOf(list), title, { description: cut(text, 100_000) })
  for (const { title, ...column } of columnsOf(nodes.values())) board.column(title, column)
}

export function addTask(list: TaskList, node: Node, records: RecordCollector): void {
  const { id, content, extras, parent } = node
  const column = columnOf(node)
  records.task({
    id: taskIdOf(list, id),
    board: boardIdOf(list),
    column,
    title: stringOf(content.title) || stringOf(content.description) || `Task ${id}`,
    description: describe(stringOf(content.description), extras),
    content_type: 'markdown',
    key: hasKey(id) ? id : undefined,
    parent: parent && taskIdOf(list, parent),
    priority: stringOf(content.priority),
    labels: [...stringsOf(content.labels), ...stringsOf(content.tags)],
    assignees: stringsOf(content.assignee).flatMap((name) => personOf(name, records) ?? []),
    archived: column === 'Cancelled' || undefined,
    fields: fieldsOf(extras),
    created_at: momentOf(content.createdAt),
    updated_at: momentOf(content.updatedAt),
    completed_at: column === 'Done' ? momentOf(content.completedAt) : undefined,
    due_date: dayOrMomentOf(content.dueDate),
  })
}
