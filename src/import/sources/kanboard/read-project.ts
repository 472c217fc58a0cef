import type { Board, ImportRecord, Person } from '../../record.ts'
import type { Report, SourceFile } from '../../source.ts'
import { BoardColumns } from '../shared/board-columns.ts'
import { BoardFields } from '../shared/board-fields.ts'
import { nameLabels } from '../shared/board-labels.ts'
import { joinSections } from '../shared/checklist-text.ts'
import { counted } from '../shared/counted.ts'
import { type Json, numberOf, objectOf, objectsOf, sortedBy, stringOf } from '../shared/json.ts'
import { shorten } from '../shared/names.ts'
import { newPerson } from '../shared/person.ts'
import { fitText } from '../shared/task-limits.ts'
import { nestTasks } from '../shared/task-nesting.ts'
import { colorOf } from './colors.ts'
import { ATTACHMENTS, attachmentsOf, commentsOf, isRestricted } from './content.ts'
import { TaskLinks } from './links.ts'
import { readSubtasks, readTask, type TaskContext, tagsOf } from './tasks.ts'

export async function* readProject(
  document: Json,
  files: readonly SourceFile[],
  report: Report,
): AsyncIterable<ImportRecord> {
  const project = objectOf(document.project)
  const id = stringOf(project.id) || 'kanboard'
  const title = stringOf(project.name).trim() || 'Kanboard project'
  const address = stringOf(objectOf(project.url).board)
  yield { origin: { id: shorten(address || `kanboard:${id}`, 500), title: shorten(title, 500) } }
  const people = peopleOf(document)
  for (const person of people.values()) yield { person }

  const tasks = tasksOf(document, report)
  const labels = labelsOf(document, tasks)
  const context = contextOf(id, document, tasks, labels, people, report)
  const read = tasks.flatMap((task) => [readTask(task, context), ...readSubtasks(task, context)])
  const description = fitText(descriptionOf(document), 'Description of the project', report)
  const board: Board = {
    id,
    title: shorten(title, 200),
    ...(context.key && { key: context.key }),
    ...(description && { description }),
    columns: context.columns.columns,
    labels: labels.labels,
    fields: context.fields.list,
  }
  yield { board }
  for (const task of nestTasks(new Map(read.map((task) => [task.id, task])), report)) yield { task }
  yield* contentOf(tasks, files, context)
  for (const relation of context.links.relations) yield { relation }
}

function* contentOf(
  tasks: readonly Json[],
  files: readonly SourceFile[],
  { people, links, report }: TaskContext,
): Iterable<ImportRecord> {
  const bytes = new Map(
    files
      .filter(({ path }) => path.startsWith(ATTACHMENTS))
      .map((file) => [file.path.slice(ATTACHMENTS.length), file]),
  )
  let restricted = 0
  for (const task of tasks) {
    restricted += objectsOf(task.comments).filter(isRestricted).length
    for (const comment of commentsOf(task, people, links, report)) yield { comment }
    for (const attachment of attachmentsOf(task, bytes, people, report)) yield { attachment }
  }
  if (restricted)
    report.lose(counted(restricted, 'comment'), 'only managers or administrators may read it')
}

/** Tasks in the order of their columns' cards; a task that is listed twice counts once. */
function tasksOf(document: Json, report: Report): Json[] {
  const tasks = new Map<string, Json>()
  let damaged = 0
  for (const task of sortedBy(objectsOf(document.tasks), 'position')) {
    const id = stringOf(task.id)
    if (!id || tasks.has(id)) damaged++
    else tasks.set(id, task)
  }
  if (damaged) report.lose(counted(damaged, 'task'), 'it has no id, or the id of another task')
  return [...tasks.values()]
}

function peopleOf(document: Json): Map<string, Person> {
  const people = new Map<string, Person>()
  for (const user of objectsOf(document.users)) {
    const id = stringOf(user.id)
    const email = stringOf(user.email)
    const name = stringOf(user.name).trim() || stringOf(user.username) || id
    if (id && id !== '0' && !people.has(id)) people.set(id, newPerson(id, name, email))
  }
  return people
}

interface Labels {
  labels: Board['labels']
  categories: Map<string, string>
  tags: Map<string, string>
}

/** Categories and tags are labels. A tag with the name of a category is the same label. */
function labelsOf(document: Json, tasks: readonly Json[]): Labels {
  const categories = objectsOf(document.categories).map(({ id, name, color_id }) => ({
    id: `category ${stringOf(id)}`,
    name: stringOf(name),
    colorName: '',
    color: colorOf(stringOf(color_id)),
  }))
  const tags = [...new Set(tasks.flatMap(tagsOf))].map((name) => ({
    ...{ id: `tag ${name}`, name, colorName: '', color: undefined },
  }))
  const { labels, names } = nameLabels([...categories, ...tags])
  const namesOf = (prefix: string) =>
    new Map(
      [...names]
        .filter(([id]) => id.startsWith(prefix))
        .map(([id, name]) => [id.slice(prefix.length), name]),
    )
  return { labels, categories: namesOf('category '), tags: namesOf('tag ') }
}

function contextOf(
  board: string,
  document: Json,
  tasks: readonly Json[],
  { categories, tags }: Labels,
  people: Map<string, Person>,
  report: Report,
): TaskContext {
  const identifier = stringOf(objectOf(document.project).identifier).toUpperCase()
  const columns = new BoardColumns(
    sortedBy(objectsOf(document.columns), 'position').map(({ id, title, task_limit }) => ({
      id: stringOf(id),
      name: stringOf(title),
      limit: numberOf(task_limit),
    })),
    report,
  )
  columns.fallback()
  const swimlanes = sortedBy(objectsOf(document.swimlanes), 'position')
  return {
    board,
    key: /^[A-Z][A-Z0-9]{1,9}$/.test(identifier) ? identifier : '',
    columns,
    fields: new BoardFields(),
    people,
    categories,
    tags,
    swimlanes: new Map(swimlanes.map(({ id, name }) => [stringOf(id), stringOf(name)])),
    links: new TaskLinks(tasks),
    report,
  }
}

/** Descriptions of columns, swimlanes and categories are in that of the board. */
function descriptionOf(document: Json): string {
  const sections = [
    ['Columns', document.columns, 'title'],
    ['Swimlanes', document.swimlanes, 'name'],
    ['Categories', document.categories, 'name'],
  ] as const
  const texts = sections.map(([heading, items, name]) => {
    const lines = sortedBy(objectsOf(items), 'position')
      .filter(({ description }) => stringOf(description).trim())
      .map((item) => `**${stringOf(item[name])}**: ${stringOf(item.description).trim()}`)
    return lines.length ? [`## ${heading}`, ...lines].join('\n\n') : ''
  })
  return joinSections(stringOf(objectOf(document.project).description), ...texts)
}
