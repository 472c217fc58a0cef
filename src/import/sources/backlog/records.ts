import type { Board, Comment, Relation, Task } from '../../record.ts'
import { type Report, taskLink } from '../../source.ts'
import { customFields, describe, fieldValues, noExtras } from '../shared/extras.ts'
import { type Json, stringOf, stringsOf } from '../shared/json.ts'
import { cut, fitText, fitTitle } from '../shared/limits.ts'
import type { People } from '../shared/named-people.ts'
import { uniqueId } from '../shared/names.ts'
import { dayOrMomentOf, momentOf } from '../shared/times.ts'
import { columnsOf } from './columns.ts'
import type { Folder } from './folders.ts'
import { canonicalId } from './ids.ts'
import { type Item, isDocument, prefixOf } from './items.ts'

export const boardIdOf = ({ root }: Folder): string => root || 'backlog'
export const taskIdOf = ({ root }: Folder, id: string): string => (root ? `${root}:${id}` : id)

export function boardOf(
  folder: Folder,
  items: ReadonlyMap<string, Item>,
  milestones: readonly string[],
): Board {
  const { config } = folder
  const all = [...items.values()]
  const labels = new Set([...stringsOf(config.labels), ...all.flatMap((item) => item.labels)])
  const key = prefixOf(folder).toUpperCase()
  const about = noExtras()
  const rules = stringsOf(config.definition_of_done).map((rule) => `- ${rule}`)
  if (rules.length) about.sections.push({ title: 'Definition of done', text: rules.join('\n') })
  if (milestones.length) about.sections.push({ title: 'Milestones', text: milestones.join('\n\n') })
  return {
    id: boardIdOf(folder),
    title: cut(stringOf(config.project_name) || folder.root || 'Backlog', 200),
    ...(key !== 'TASK' && /^[A-Z][A-Z0-9]{1,9}$/.test(key) && { key }),
    description: cut(describe('', about), 1_000_000),
    columns: columnsOf(folder, new Set(all.map(({ column }) => column))),
    labels: [...labels].map((name) => ({ name: cut(name, 100) })),
    fields: customFields(
      all.map(({ extras }) => extras),
      ['Milestone', 'Type', 'Decision status', 'Document type'],
    ),
  }
}

export function taskOf(
  folder: Folder,
  item: Item,
  { board, parent, items }: { board: Board; parent?: string; items: ReadonlyMap<string, Item> },
  people: People,
  report: Report,
): Task {
  const { id, key, kind, values, extras } = item
  const text = linkTasks(describe(item.text, extras), folder, items)
  const { title, description } = fitTitle(item.title, text)
  const priority = cut(stringOf(values.priority), 100)
  const author = people.idOf(stringOf(values.reporter))
  const people_ = stringsOf(values.assignee).flatMap((name) => people.idOf(name) ?? [])
  const isArchived = kind === 'completed' || kind.startsWith('archive')
  return {
    id: taskIdOf(folder, id),
    board: board.id,
    column: item.column,
    title,
    ...(key.length <= 50 && { key }),
    description: fitText(description, `Description of ${id}`, report),
    content_type: 'markdown',
    ...(priority && { priority }),
    labels: item.labels,
    assignees: [...new Set(people_)],
    ...(parent !== undefined && { parent: taskIdOf(folder, parent) }),
    ...(isArchived && { archived: true }),
    fields: fieldValues(extras, board.fields),
    ...(author && { created_by: author }),
    ...datesOf(values),
  }
}

/** Old versions wrote days like 31-12-25. */
const dateIn = (value: unknown): string =>
  stringOf(value).replace(/^(\d\d)[-/.](\d\d)[-/.](\d\d)$/, '20$3-$2-$1')

function datesOf(values: Json) {
  const dates = {
    created_at: momentOf(dateIn(values.created_date ?? values.created ?? values.date)),
    updated_at: momentOf(dateIn(values.updated_date ?? values.updated)),
    completed_at: momentOf(dateIn(values.completed_date ?? values.completion_date)),
    due_date: dayOrMomentOf(dateIn(values.due_date).replace(/[ T]23:59$/, '')),
  }
  return Object.fromEntries(Object.entries(dates).filter(([, date]) => date))
}

const FILE_LINK = /\]\(<?(?:[^()<>\n]*\/)?([a-z]+-\d+(?:\.\d+)*)(?: |%20)-[^()<>\n]*\.md>?\)/gi

/** Links to the files of other tasks become links to the tasks. */
const linkTasks = (text: string, folder: Folder, items: ReadonlyMap<string, Item>) =>
  text.replace(FILE_LINK, (link, name: string) => {
    const id = canonicalId(name, prefixOf(folder))
    return items.has(id) ? `](${taskLink(taskIdOf(folder, id))})` : link
  })

export function commentsOf(folder: Folder, item: Item, people: People, report: Report): Comment[] {
  const task = taskIdOf(folder, item.id)
  const taken = new Set<string>()
  return item.comments.map(({ author, created, text }) => {
    const id = uniqueId(`${task}:${cut(created, 50) || 'comment'}`, taken)
    taken.add(id)
    const person = people.idOf(author)
    const created_at = momentOf(dateIn(created))
    return {
      id,
      task,
      text: fitText(text, `A comment of ${item.id}`, report),
      content_type: 'markdown' as const,
      ...(person && { author: person }),
      ...(created_at && { created_at }),
    }
  })
}

/** The parent that a task names, else the one in its id: TASK-3 is above TASK-3.1. */
export function parentOf(folder: Folder, item: Item, items: ReadonlyMap<string, Item>) {
  if (isDocument(item.kind)) return undefined
  const named = stringOf(item.values.parent_task_id ?? item.values.parent)
  const id = named ? canonicalId(named, prefixOf(folder)) : item.id.replace(/\.\d+(~\d+)?$/, '')
  return id !== item.id && items.has(id) ? id : undefined
}

export function* relationsOf(
  folder: Folder,
  items: ReadonlyMap<string, Item>,
  report: Report,
): Generator<Relation> {
  for (const { id, values } of items.values()) {
    const named = [...stringsOf(values.dependencies), ...stringsOf(values.blocked_by)]
    const blockers = new Set(named.map((name) => canonicalId(name, prefixOf(folder))))
    for (const blocker of blockers)
      if (!items.has(blocker))
        report.lose(`Dependency of ${id} on ${blocker}`, 'That task does not exist')
      else if (blocker !== id)
        yield { kind: 'blocks', first: taskIdOf(folder, blocker), second: taskIdOf(folder, id) }
  }
}
