import type { Attachment, Board, Comment, Task } from '../../record.ts'
import type { Report, SourceFile } from '../../source.ts'
import { CustomFields } from '../shared/custom-fields.ts'
import {
  compact,
  isObject,
  type Json,
  numberOf,
  objectOf,
  objectsOf,
  stringOf,
} from '../shared/json.ts'
import { Labels } from '../shared/labels.ts'
import { People } from '../shared/people.ts'
import { linkHtml, linkMarkdown, type References } from '../shared/references.ts'
import { Relations } from '../shared/relations.ts'
import { type ContentType, cut, fitText, fitTitle, plainText } from '../shared/texts.ts'
import { momentOf } from '../shared/times.ts'
import type { Entry } from '../shared/tree.ts'
import type { Contents } from '../shared/write-records.ts'
import { type Buckets, bucketsOf, projectsOf, type VikunjaProject } from './projects.ts'
import { repeatOf } from './repeat.ts'

/** 0 unset, 1 low, 2 medium, 3 high, 4 urgent, 5 do now. */
const PRIORITIES = [0, 4, 3, 2, 1, 1]
const DO_NOW = 5
const CHECKED = /<li\b[^>]*\bdata-checked="(true|false)"[^>]*>(?:\s*<label\b[\s\S]*?<\/label>)?/g

interface Context {
  people: People
  relations: Relations
  references: References
  files: ReadonlyMap<string, SourceFile>
  report: Report
}

interface Draft extends Buckets {
  project: VikunjaProject
  labels: Labels
  fields: CustomFields
}

export function contentsOf(
  list: readonly Json[],
  files: ReadonlyMap<string, SourceFile>,
  report: Report,
): Contents {
  const projects = projectsOf(list, report)
  const ids = new Set(
    projects.flatMap(({ project }) => objectsOf(project.tasks).map(({ id }) => stringOf(id))),
  )
  const people = new People()
  const relations = new Relations()
  const references: References = {
    byUrl: (url) => {
      const [, id] = /\/tasks\/(\d+)\/?(?:[?#].*)?$/.exec(url) ?? []
      return id && ids.has(id) ? id : undefined
    },
  }
  const context = { people, relations, references, files, report }
  const boards: Board[] = []
  const entries: Entry[] = []
  for (const project of projects) {
    personOf(project.project.owner, people)
    const draft: Draft = {
      ...bucketsOf(project.project, report),
      project,
      labels: new Labels(),
      fields: new CustomFields(),
    }
    for (const task of tasksOf(project, report)) entries.push(entryOf(task, draft, context))
    boards.push(boardOf(draft))
  }
  setParents(projects, entries, relations)
  return { origin: { id: 'vikunja', title: 'Vikunja' }, people, boards, entries, relations }
}

function tasksOf({ project }: VikunjaProject, report: Report): Json[] {
  return objectsOf(project.tasks).filter(({ id, title, deleted_at }) => {
    const isKept = stringOf(id) !== '' && stringOf(title) !== '' && !momentOf(deleted_at)
    if (!isKept) report.lose('A task', 'It is deleted, or has no id or no title')
    return isKept
  })
}

function boardOf({ project, columns, labels, fields }: Draft): Board {
  const identifier = stringOf(project.project.identifier).toUpperCase()
  const source = stringOf(project.project.description)
  const description = /^<[a-z]/i.test(source) ? plainText(source) : source
  return {
    id: project.id,
    title: cut(project.path, 200),
    ...(/^[A-Z][A-Z0-9]{1,9}$/.test(identifier) && { key: identifier }),
    ...(description && { description }),
    columns,
    labels: labels.list(),
    fields: fields.list(),
  }
}

function personOf(value: unknown, people: People): string | undefined {
  const { id, name, username, email } = objectOf(value)
  return people.add(stringOf(id), stringOf(name) || stringOf(username), stringOf(email))
}

function entryOf(task: Json, draft: Draft, context: Context): Entry {
  const { people, report } = context
  const id = stringOf(task.id)
  const text = textOf(task.description, `task ${id}`, context)
  const { title, description } = fitTitle(stringOf(task.title), text.text, text.content_type)
  const priority = numberOf(task.priority) ?? 0
  const { recurrence, values } = repeatOf(task, draft.fields, report)
  const key = stringOf(task.identifier)
  const due = momentOf(task.due_date)
  const end = momentOf(task.end_date)
  const fields = [...values, ...valuesOf(task, due ? end : undefined, draft.fields)]
  const assignees = objectsOf(task.assignees).flatMap((person) => personOf(person, people) ?? [])
  const result: Task = compact({
    id,
    board: draft.project.id,
    column: columnOf(task, draft),
    title,
    description: fitText(description, `task ${id}`, report),
    content_type: text.content_type,
    key: /^[A-Za-z0-9]+-\d+$/.test(key) ? key : '',
    priority: PRIORITIES[priority] ?? 0,
    start_date: momentOf(task.start_date),
    due_date: due ?? end,
    recurrence,
    labels: labelsOf(task, draft.labels),
    assignees: [...new Set(assignees)],
    fields,
    created_by: personOf(task.created_by, people),
    created_at: momentOf(task.created),
    updated_at: momentOf(task.updated),
    ...(task.done === true && { completed_at: momentOf(task.done_at) }),
    ...(draft.project.isArchived && { archived: true }),
  })
  return {
    task: result,
    comments: commentsOf(task, id, context),
    attachments: attachmentsOf(task, id, context),
    times: [],
  }
}

/** A done task is in the done column, whatever its bucket is. */
function columnOf(task: Json, { byTask, byBucket, first, done }: Draft): string {
  if (task.done === true) return done
  return byTask.get(stringOf(task.id)) ?? byBucket.get(stringOf(task.bucket_id)) ?? first
}

function labelsOf(task: Json, labels: Labels): string[] {
  const names = objectsOf(task.labels).flatMap(
    ({ title, hex_color }) => labels.add(stringOf(title), stringOf(hex_color)) ?? [],
  )
  const now = numberOf(task.priority) === DO_NOW ? [labels.add('DO NOW')!] : []
  return [...new Set([...names, ...now])]
}

function valuesOf(task: Json, end: string | undefined, fields: CustomFields) {
  const percent = numberOf(task.percent_done) ?? 0
  return [
    ...fields.value('Percent done', 'number', percent > 0 ? Math.round(percent * 100) : undefined),
    ...fields.value('End date', 'date', end?.slice(0, 10)),
  ]
}

/** Descriptions are HTML; those of old versions are markdown. */
function textOf(
  value: unknown,
  of: string,
  { references, report }: Context,
): { text: string; content_type: ContentType } {
  const source = typeof value === 'string' ? value : ''
  if (!/^\s*<[a-z][^>]*>/i.test(source))
    return {
      text: fitText(linkMarkdown(source, references), of, report),
      content_type: 'markdown',
    }
  const html = source === '<p></p>' ? '' : source
  const listed = html.replace(
    CHECKED,
    (_, checked: string) => `<li>${checked === 'true' ? '☑' : '☐'} `,
  )
  return { text: fitText(linkHtml(listed, references), of, report), content_type: 'html' }
}

function commentsOf(task: Json, id: string, context: Context): Comment[] {
  return objectsOf(task.comments).map((comment, at) => {
    const created = momentOf(comment.created)
    const updated = momentOf(comment.updated)
    return {
      ...textOf(comment.comment, `a comment of task ${id}`, context),
      ...compact({
        id: stringOf(comment.id) || `${id} ${at}`,
        task: id,
        author: personOf(comment.author, context.people),
        created_at: created,
        edited_at: updated === created ? undefined : updated,
      }),
    }
  })
}

function attachmentsOf(task: Json, id: string, { files, people, report }: Context): Attachment[] {
  return objectsOf(task.attachments).flatMap((attachment) => {
    const { id: fileId, name, mime } = objectOf(attachment.file)
    const file = files.get(stringOf(fileId))
    if (!file) {
      report.lose('A file', 'It is not in the export')
      return []
    }
    return [
      {
        ...compact({
          id: stringOf(attachment.id),
          task: id,
          filename: cut(stringOf(name), 255) || 'file',
          content_type: stringOf(mime),
          created_by: personOf(attachment.created_by, people),
          created_at: momentOf(attachment.created),
        }),
        bytes: () => file.bytes(),
      },
    ]
  })
}

/** A task has one parent in its own project; other parents become relations. */
function setParents(
  projects: readonly VikunjaProject[],
  entries: readonly Entry[],
  relations: Relations,
): void {
  const byId = new Map(entries.map(({ task }) => [task.id, task]))
  const adopt = (childId: string, parentId: string) => {
    const child = byId.get(childId)
    const parent = byId.get(parentId)
    if (child && parent?.board === child.board && (child.parent ?? parentId) === parentId)
      child.parent = parentId
    else relations.add('related', childId, parentId)
  }
  for (const { project } of projects)
    for (const task of objectsOf(project.tasks))
      for (const [kind, others] of Object.entries(objectOf(task.related_tasks)))
        for (const other of objectsOf(others).filter(isObject))
          relate(kind, stringOf(task.id), stringOf(other.id), adopt, relations)
}

function relate(
  kind: string,
  id: string,
  other: string,
  adopt: (child: string, parent: string) => void,
  relations: Relations,
): void {
  if (kind === 'subtask') adopt(other, id)
  else if (kind === 'parenttask') adopt(id, other)
  else if (kind === 'blocking' || kind === 'precedes') relations.add('blocks', id, other)
  else if (kind === 'blocked' || kind === 'follows') relations.add('blocks', other, id)
  else relations.add('related', id, other)
}
