import type { Relation } from '../../record.ts'
import { type Report, taskLink } from '../../source.ts'
import { describe, fieldsOf, noExtras, personOf } from '../shared/extras.ts'
import { stringOf, stringsOf } from '../shared/json.ts'
import { freeId, type RecordCollector } from '../shared/record-collector.ts'
import { cut } from '../shared/task-limits.ts'
import { dayOrMomentOf, momentOf } from '../shared/times.ts'
import { columnsOf } from './columns.ts'
import type { Folder } from './folders.ts'
import { canonicalId } from './ids.ts'
import { type Item, isDocument, prefixOf } from './items.ts'

export const boardIdOf = ({ root }: Folder): string => root || 'backlog'
export const taskIdOf = ({ root }: Folder, id: string): string => (root ? `${root}:${id}` : id)

export function addBoard(
  folder: Folder,
  items: ReadonlyMap<string, Item>,
  milestones: readonly string[],
  records: RecordCollector,
): void {
  const { config, root } = folder
  const key = prefixOf(folder).toUpperCase()
  const about = noExtras()
  const rules = stringsOf(config.definition_of_done).map((rule) => `- ${rule}`)
  if (rules.length) about.sections.push({ title: 'Definition of done', text: rules.join('\n') })
  if (milestones.length) about.sections.push({ title: 'Milestones', text: milestones.join('\n\n') })
  const title = stringOf(config.project_name) || root || 'Backlog'
  const board = records.board(boardIdOf(folder), title, {
    key: key !== 'TASK' && /^[A-Z][A-Z0-9]{1,9}$/.test(key) ? key : undefined,
    description: cut(describe('', about), 1_000_000),
  })
  const used = new Set([...items.values()].map(({ column }) => column))
  for (const { title, ...column } of columnsOf(folder, used)) board.column(title, column)
  for (const label of stringsOf(config.labels)) board.label(label)
}

const SELECTS = ['Milestone', 'Type', 'Decision status', 'Document type']

export function addTask(
  folder: Folder,
  item: Item,
  items: ReadonlyMap<string, Item>,
  records: RecordCollector,
): void {
  const { id, key, kind, values, extras } = item
  const parent = parentOf(folder, item, items)
  const person = (name: string) => personOf(name, records)
  const created_by = person(stringOf(values.reporter))
  records.task({
    id: taskIdOf(folder, id),
    board: boardIdOf(folder),
    column: item.column,
    title: item.title,
    key,
    description: linkTasks(describe(item.text, extras), folder, items),
    content_type: 'markdown',
    priority: stringOf(values.priority),
    labels: item.labels,
    assignees: stringsOf(values.assignee).flatMap((name) => person(name) ?? []),
    parent: parent && taskIdOf(folder, parent),
    archived: kind === 'completed' || kind.startsWith('archive') || undefined,
    fields: fieldsOf(extras, SELECTS),
    created_by,
    created_at: momentOf(dateIn(values.created_date ?? values.created ?? values.date)),
    updated_at: momentOf(dateIn(values.updated_date ?? values.updated)),
    completed_at: momentOf(dateIn(values.completed_date ?? values.completion_date)),
    due_date: dayOrMomentOf(dateIn(values.due_date).replace(/[ T]23:59$/, '')),
  })
  const commentIds = commentIdsOf(folder, item)
  for (const [at, { author, created, text }] of item.comments.entries())
    records.comment({
      id: commentIds[at]!,
      task: taskIdOf(folder, id),
      text,
      content_type: 'markdown',
      author: person(author),
      created_at: momentOf(dateIn(created)),
    })
}

/** The ids of the comments of a task, by their time; later ones of the same minute get a number. */
export function commentIdsOf(folder: Folder, { id, comments }: Item): string[] {
  const taken = new Map<string, true>()
  return comments.map(({ created }) => {
    const own = freeId(`${taskIdOf(folder, id)}:${cut(created, 50) || 'comment'}`, taken)
    taken.set(own, true)
    return own
  })
}

/** Old versions wrote days like 31-12-25. */
const dateIn = (value: unknown): string =>
  stringOf(value).replace(/^(\d\d)[-/.](\d\d)[-/.](\d\d)$/, '20$3-$2-$1')

const FILE_LINK = /\]\(<?(?:[^()<>\n]*\/)?([a-z]+-\d+(?:\.\d+)*)(?: |%20)-[^()<>\n]*\.md>?\)/gi

/** Links to the files of other tasks become links to the tasks. */
export const linkTasks = (text: string, folder: Folder, items: ReadonlyMap<string, Item>) =>
  text.replace(FILE_LINK, (link, name: string) => {
    const id = canonicalId(name, prefixOf(folder))
    return items.has(id) ? `](${taskLink(taskIdOf(folder, id))})` : link
  })

/** The parent that a task names, else the one in its id: TASK-3 is above TASK-3.1. */
function parentOf(folder: Folder, item: Item, items: ReadonlyMap<string, Item>) {
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
