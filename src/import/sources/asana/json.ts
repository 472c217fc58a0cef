import type { Report, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { parseDate, parseMoment } from '../shared/dates.ts'
import { firstOf, isObject, type Json, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import type { RecordCollector } from '../shared/record-collector.ts'
import { isDoneWord } from '../shared/status-words.ts'
import type { TypedValue } from '../shared/task-limits.ts'
import { customFields } from './custom-fields.ts'
import { plainHtml } from './html.ts'

export const idOf = (value: unknown): string => firstOf(objectOf(value), 'gid', 'id')
const nameOf = (value: unknown): string => stringOf(objectOf(value).name)

export interface Project {
  tasks: Json[]
  id: string
  title: string
  description: string
  sections: string[]
}

/** The exported project: the one that the file names, else the one that most tasks belong to. */
export async function projectIn(
  file: SourceFile,
  report: Report,
  fallback: string,
): Promise<Project> {
  const parsed = await jsonOf(file)
  const document = Array.isArray(parsed) ? { data: parsed } : objectOf(parsed)
  const { data, project: _, sections: __, ...others } = document
  report.fields.add({ ...others, project: document.project, sections: document.sections })
  const tasks = isObject(data) ? [data] : objectsOf(data)
  const project = isObject(document.project) ? document.project : mostFrequent(tasks)
  return {
    tasks,
    id: idOf(project) || fallback,
    title: nameOf(project) || fallback,
    description: stringOf(project.notes),
    sections: objectsOf(document.sections).map(nameOf).filter(Boolean),
  }
}

function mostFrequent(tasks: readonly Json[]): Json {
  const counts = new Map<string, { project: Json; count: number }>()
  for (const task of tasks)
    for (const project of objectsOf(task.projects)) {
      const entry = counts.get(idOf(project)) ?? { project, count: 0 }
      entry.count++
      counts.set(idOf(project), entry)
    }
  const [first] = [...counts.values()].sort((a, b) => b.count - a.count)
  return first?.project ?? {}
}

interface Position {
  section: string
  parent?: string | undefined
}

export class ProjectReader {
  /** The section above the task, in old exports in which sections are tasks. */
  private section = ''

  constructor(
    private readonly project: Project,
    private readonly board: BoardDraft,
    private readonly collector: RecordCollector,
    private readonly report: Report,
    private readonly files: ReadonlyMap<string, SourceFile>,
  ) {}

  read(): void {
    const { sections, tasks } = this.project
    for (const section of [...sections, ...tasks.map((task) => this.sectionOf(task))])
      if (section && !isDoneWord(section)) this.board.column(section)
    for (const task of tasks)
      if (isSection(task)) this.section = nameOf(task).replace(/:$/, '')
      else this.addTask(task, { section: this.sectionOf(task) || this.section })
  }

  private sectionOf(task: Json): string {
    const own = objectsOf(task.memberships).find(({ project }) => idOf(project) === this.project.id)
    return nameOf(own?.section)
  }

  private addTask(task: Json, { section, parent }: Position): void {
    const id = idOf(task)
    this.count(task)
    if (!id) return void this.report.lose(`Task ${nameOf(task)}`, 'It has no id')
    if (this.collector.tasks.has(id)) return
    const isDone = task.completed === true
    const { priority, fields } = customFields(task)
    const html = plainHtml(stringOf(task.html_notes))
    if (isDone && section && !isDoneWord(section))
      fields.push({ name: 'Section', type: 'select', value: section })
    this.collector.task({
      id,
      board: this.board.id,
      column: this.columnOf(section, isDone),
      title: nameOf(task),
      description: html || stringOf(task.notes),
      content_type: html ? 'html' : 'markdown',
      priority,
      start_date: parseDate(firstOf(task, 'start_at', 'start_on')),
      due_date: parseDate(firstOf(task, 'due_at', 'due_on')),
      labels: objectsOf(task.tags).map(nameOf),
      assignees: this.person(task.assignee) ?? [],
      parent,
      created_by: this.person(task.created_by)?.[0],
      created_at: parseMoment(stringOf(task.created_at)),
      updated_at: parseMoment(stringOf(task.modified_at)),
      completed_at: isDone ? parseMoment(stringOf(task.completed_at)) : undefined,
      fields: [...fields, ...this.otherFields(task)],
    })
    this.addBelongings(task, id)
    for (const subtask of objectsOf(task.subtasks))
      if (!isSection(subtask))
        this.addTask(subtask, { section: this.sectionOf(subtask) || section, parent: id })
  }

  private columnOf(section: string, isDone: boolean): string {
    if (isDoneWord(section)) return this.board.column(section, { done: true })
    return isDone ? this.board.doneColumn() : this.board.column(section)
  }

  /** Stories are comments and the history of changes. */
  private count(task: Json): void {
    const stories = objectsOf(task.stories)
    const { subtasks, ...plain } = task
    this.report.fields.add(
      {
        ...plain,
        subtasks: objectsOf(subtasks).length ? 'yes' : '',
        stories: stories.filter(isComment),
        history: stories.filter((story) => !isComment(story)).map(idOf),
      },
      'data[]',
    )
  }

  private person(value: unknown): string[] | undefined {
    if (!isObject(value)) return undefined
    const id = this.collector.person(idOf(value), nameOf(value), stringOf(value.email))
    return id ? [id] : undefined
  }

  private otherFields(task: Json): TypedValue[] {
    const fields: TypedValue[] = []
    const type = stringOf(task.resource_subtype)
    if (type === 'milestone' || type === 'approval')
      fields.push({ name: 'Type', type: 'select', value: type })
    const approval = stringOf(task.approval_status)
    if (approval) fields.push({ name: 'Approval', type: 'select', value: approval })
    const minutes = Number(task.actual_time_minutes)
    if (minutes > 0) fields.push({ name: 'Actual time (minutes)', type: 'number', value: minutes })
    const others = objectsOf(task.projects).filter((project) => idOf(project) !== this.project.id)
    const names = others.map(nameOf).filter(Boolean).join(', ')
    if (names) fields.push({ name: 'Other projects', type: 'text', value: names })
    return fields
  }

  private addBelongings(task: Json, id: string): void {
    for (const other of objectsOf(task.dependencies))
      this.collector.relation('blocks', idOf(other), id)
    for (const other of objectsOf(task.dependents))
      this.collector.relation('blocks', id, idOf(other))
    for (const comment of objectsOf(task.stories).filter(isComment)) {
      const html = plainHtml(stringOf(comment.html_text))
      this.collector.comment({
        id: idOf(comment),
        task: id,
        text: html || stringOf(comment.text),
        content_type: html ? 'html' : 'markdown',
        author: this.person(comment.created_by)?.[0],
        created_at: parseMoment(stringOf(comment.created_at)),
      })
    }
    for (const attachment of objectsOf(task.attachments)) this.addFile(attachment, id)
  }

  private addFile(attachment: Json, task: string): void {
    const id = idOf(attachment)
    const file = this.files.get(id)
    const url = firstOf(attachment, 'download_url', 'permanent_url', 'view_url')
    if (!file && !/^https?:/.test(url))
      return void this.report.lose(
        `Attachment ${nameOf(attachment)}`,
        'Exports have no address of it',
      )
    this.collector.attachment({
      id: id || url,
      task,
      filename: nameOf(attachment) || 'file',
      ...(file ? { bytes: () => file.bytes() } : { url }),
      created_at: parseMoment(stringOf(attachment.created_at)),
    })
  }
}

const isComment = (story: Json) =>
  story.type === 'comment' || story.resource_subtype === 'comment_added'

const isSection = (task: Json) =>
  task.resource_subtype === 'section' ||
  task.is_rendered_as_separator === true ||
  (task.resource_subtype === undefined && task.gid === undefined && nameOf(task).endsWith(':'))
