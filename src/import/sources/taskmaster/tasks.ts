import type { Board, Column, Task } from '../../record.ts'
import type { Report } from '../../source.ts'
import {
  addExtra,
  addSection,
  customFields,
  describe,
  type Extras,
  fieldValues,
  noExtras,
} from '../shared/extras.ts'
import { isObject, type Json, listOf, stringOf, stringsOf } from '../shared/json.ts'
import { cut, fitText, fitTitle } from '../shared/limits.ts'
import type { People } from '../shared/named-people.ts'
import { uniqueId, wordsOf } from '../shared/names.ts'
import { limitDepth, parentsFirst } from '../shared/task-levels.ts'
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

function columnOf({ content }: Node): string {
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

export function boardOf(list: TaskList, nodes: Map<string, Node>, title: string): Board {
  const labels = new Set([...nodes.values()].flatMap(labelsOf))
  const { metadata, description } = list.content
  const about = isObject(metadata) ? metadata : {}
  const text = stringOf(about.description) || stringOf(description)
  const more = noExtras()
  const others = Object.entries({ ...list.content, ...about })
  addSection(more, 'About', Object.fromEntries(others.filter(([name]) => !TECHNICAL.has(name))))
  return {
    id: boardIdOf(list),
    title: cut(title, 200),
    description: cut(describe(text, more), 100_000),
    columns: columnsOf(nodes.values()),
    labels: [...labels].map((name) => ({ name })),
    fields: customFields([...nodes.values()].map(({ extras }) => extras)),
  }
}

const labelsOf = ({ content }: Node): string[] => [
  ...new Set(
    [...stringsOf(content.labels), ...stringsOf(content.tags)].map((name) => cut(name, 100)),
  ),
]

export function* tasksOf(
  list: TaskList,
  nodes: Map<string, Node>,
  board: Board,
  people: People,
  report: Report,
): Generator<Task> {
  const above = new Map(
    [...nodes.values()].flatMap(({ id, parent }) => (parent ? [[id, parent]] : [])),
  )
  const parents = limitDepth(above, {
    onMoved: (id) => report.lose(`Subtask ${id}`, 'It is too deep, and moves up to level 5'),
    onCycle: () => {},
  })
  for (const [id, node] of parentsFirst(nodes, parents)) {
    const parent = parents.get(id)
    yield {
      ...taskOf(list, node, board, people, report),
      ...(parent && { parent: taskIdOf(list, parent) }),
    }
  }
}

function taskOf(list: TaskList, node: Node, board: Board, people: People, report: Report): Task {
  const { id, content, extras } = node
  const column = columnOf(node)
  const name = stringOf(content.title) || stringOf(content.description) || `Task ${id}`
  const { title, description } = fitTitle(name, describe(stringOf(content.description), extras))
  const priority = cut(stringOf(content.priority), 100)
  return {
    id: taskIdOf(list, id),
    board: board.id,
    column,
    title,
    description: fitText(description, `Description of task ${id}`, report),
    content_type: 'markdown',
    ...(hasKey(id) && { key: id }),
    ...(priority && { priority }),
    labels: labelsOf(node),
    assignees: stringsOf(content.assignee).flatMap((person) => people.idOf(person) ?? []),
    ...(column === 'Cancelled' && { archived: true }),
    fields: fieldValues(extras, board.fields),
    ...datesOf(content, column),
  }
}

function datesOf({ createdAt, updatedAt, completedAt, dueDate }: Json, column: string) {
  const [created_at, updated_at] = [momentOf(createdAt), momentOf(updatedAt)]
  const completed_at = column === 'Done' ? momentOf(completedAt) : undefined
  const due_date = dayOrMomentOf(dueDate)
  return {
    ...(created_at && { created_at }),
    ...(updated_at && { updated_at }),
    ...(completed_at && { completed_at }),
    ...(due_date && { due_date }),
  }
}
