import type { Report, SourceFile } from '../../source.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { isObject, type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import type { References } from '../shared/references.ts'
import type { TaskDraft, TypedValue } from '../shared/task-limits.ts'
import { momentOf } from '../shared/times.ts'
import { type Buckets, bucketsOf, projectsOf, type VikunjaProject } from './projects.ts'
import { repeatOf } from './repeat.ts'
import { plainText, textOf } from './texts.ts'

/** 0 unset, 1 low, 2 medium, 3 high, 4 urgent, 5 do now. */
const PRIORITIES = [0, 4, 3, 2, 1, 1]
const DO_NOW = 5

interface Context {
  records: RecordCollector
  references: References
  files: ReadonlyMap<string, SourceFile>
  report: Report
}

export function collect(
  list: readonly Json[],
  files: ReadonlyMap<string, SourceFile>,
  report: Report,
): RecordCollector {
  const projects = projectsOf(list, report)
  const ids = new Set(
    projects.flatMap(({ project }) => objectsOf(project.tasks).map(({ id }) => stringOf(id))),
  )
  const records = new RecordCollector({ id: 'vikunja', title: 'Vikunja' }, report, 'drop')
  const references: References = {
    byUrl: (url) => {
      const [, id] = /\/tasks\/(\d+)\/?(?:[?#].*)?$/.exec(url) ?? []
      return id && ids.has(id) ? id : undefined
    },
  }
  const context = { records, references, files, report }
  for (const project of projects) {
    personOf(project.project.owner, records)
    const board = boardOf(project, records)
    const buckets = bucketsOf(project.project, report)
    for (const { title, ...column } of buckets.columns) board.column(title, column)
    for (const task of tasksOf(project, report)) addTask(task, project, board, buckets, context)
  }
  setParents(projects, records)
  return records
}

function tasksOf({ project }: VikunjaProject, report: Report): Json[] {
  return objectsOf(project.tasks).filter(({ id, title, deleted_at }) => {
    const isKept = stringOf(id) !== '' && stringOf(title) !== '' && !momentOf(deleted_at)
    if (!isKept) report.lose('A task', 'It is deleted, or has no id or no title')
    return isKept
  })
}

function boardOf({ id, path, project }: VikunjaProject, records: RecordCollector): BoardDraft {
  const identifier = stringOf(project.identifier).toUpperCase()
  const source = stringOf(project.description)
  return records.board(id, path, {
    key: /^[A-Z][A-Z0-9]{1,9}$/.test(identifier) ? identifier : undefined,
    description: /^<[a-z]/i.test(source) ? plainText(source) : source,
  })
}

function personOf(value: unknown, records: RecordCollector): string | undefined {
  const { id, name, username, email } = objectOf(value)
  const shown = stringOf(name) || stringOf(username)
  return stringOf(id) ? records.person(stringOf(id), shown, stringOf(email)) : undefined
}

function addTask(
  task: Json,
  project: VikunjaProject,
  board: BoardDraft,
  buckets: Buckets,
  context: Context,
): void {
  const { records, references, report } = context
  const id = stringOf(task.id)
  const key = stringOf(task.identifier)
  const due = momentOf(task.due_date)
  const end = momentOf(task.end_date)
  const repeat = repeatOf(task, report)
  records.task({
    id,
    board: board.id,
    column: columnOf(task, buckets),
    title: stringOf(task.title),
    ...contentOf(task.description, references),
    key: /^[A-Za-z0-9]+-\d+$/.test(key) ? key : '',
    priority: PRIORITIES[numberOf(task.priority) ?? 0] ?? 0,
    start_date: momentOf(task.start_date),
    due_date: due ?? end,
    recurrence: repeat.recurrence,
    labels: labelsOf(task, board),
    assignees: objectsOf(task.assignees).flatMap((person) => personOf(person, records) ?? []),
    fields: [...repeat.fields, ...valuesOf(task, due ? end : undefined)],
    created_by: personOf(task.created_by, records),
    created_at: momentOf(task.created),
    updated_at: momentOf(task.updated),
    completed_at: task.done === true ? momentOf(task.done_at) : undefined,
    archived: project.isArchived || undefined,
  })
  addComments(task, id, context)
  addFiles(task, id, context)
}

const contentOf = (value: unknown, references: References): Partial<TaskDraft> => {
  const { text, content_type } = textOf(value, references)
  return { description: text, content_type }
}

/** A done task is in the done column, whatever its bucket is. */
function columnOf(task: Json, { byTask, byBucket, first, done }: Buckets): string {
  if (task.done === true) return done
  return byTask.get(stringOf(task.id)) ?? byBucket.get(stringOf(task.bucket_id)) ?? first
}

function labelsOf(task: Json, board: BoardDraft): string[] {
  const names = objectsOf(task.labels).flatMap(
    ({ title, hex_color }) => board.label(stringOf(title), stringOf(hex_color)) ?? [],
  )
  const now = numberOf(task.priority) === DO_NOW ? [board.label('DO NOW')!] : []
  return [...names, ...now]
}

function valuesOf(task: Json, end: string | undefined): TypedValue[] {
  const percent = Math.round((numberOf(task.percent_done) ?? 0) * 100)
  return [
    { name: 'Percent done', type: 'number', value: percent > 0 ? percent : '' },
    { name: 'End date', type: 'date', value: end?.slice(0, 10) ?? '' },
  ]
}

function addComments(task: Json, id: string, { records, references }: Context): void {
  for (const [at, comment] of objectsOf(task.comments).entries()) {
    const created = momentOf(comment.created)
    const updated = momentOf(comment.updated)
    records.comment({
      ...textOf(comment.comment, references),
      id: stringOf(comment.id) || `${id} ${at}`,
      task: id,
      author: personOf(comment.author, records),
      created_at: created,
      edited_at: updated === created ? undefined : updated,
    })
  }
}

function addFiles(task: Json, id: string, { files, records, report }: Context): void {
  for (const attachment of objectsOf(task.attachments)) {
    const { id: fileId, name, mime } = objectOf(attachment.file)
    const file = files.get(stringOf(fileId))
    if (!file) report.lose('A file', 'It is not in the export')
    else
      records.attachment({
        id: stringOf(attachment.id),
        task: id,
        filename: stringOf(name),
        content_type: stringOf(mime),
        created_by: personOf(attachment.created_by, records),
        created_at: momentOf(attachment.created),
        bytes: () => file.bytes(),
      })
  }
}

/** A task has one parent in its own project; other parents become relations. */
function setParents(projects: readonly VikunjaProject[], records: RecordCollector): void {
  const adopt = (childId: string, parentId: string) => {
    const child = records.tasks.get(childId)
    const parent = records.tasks.get(parentId)
    if (child && parent?.board === child.board && (child.parent ?? parentId) === parentId)
      child.parent = parentId
    else records.relation('related', childId, parentId)
  }
  for (const { project } of projects)
    for (const task of objectsOf(project.tasks))
      for (const [kind, others] of Object.entries(objectOf(task.related_tasks)))
        for (const other of objectsOf(others).filter(isObject))
          relate(kind, stringOf(task.id), stringOf(other.id), adopt, records)
}

function relate(
  kind: string,
  id: string,
  other: string,
  adopt: (child: string, parent: string) => void,
  records: RecordCollector,
): void {
  if (kind === 'subtask') adopt(other, id)
  else if (kind === 'parenttask') adopt(id, other)
  else if (kind === 'blocking' || kind === 'precedes') records.relation('blocks', id, other)
  else if (kind === 'blocked' || kind === 'follows') records.relation('blocks', other, id)
  else records.relation('related', id, other)
}
