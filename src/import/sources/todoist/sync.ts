import type { Report, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { parseDate, parseMoment } from '../shared/date-formats.ts'
import {
  firstOf,
  isObject,
  type JsonObject,
  objectIn,
  stringIn,
  stringsIn,
} from '../shared/json-values.ts'
import type { RecordCollector } from '../shared/record-collector.ts'
import { joinTexts, type TaskDraft } from '../shared/task-limits.ts'
import { colorOf } from './colors.ts'
import { addFile } from './csv.ts'
import { parseDateText } from './date-text.ts'
import { durationField, planDates } from './plan-dates.ts'
import { repeatText } from './repeat-text.ts'
import { type Tables, tablesIn } from './tables.ts'
import { parseTaskText } from './task-text.ts'

/** Reads what the API of Todoist answers. */
export async function readSync(
  file: SourceFile,
  collector: RecordCollector,
  report: Report,
): Promise<void> {
  const parsed = await jsonOf(file)
  const tables = tablesIn(parsed)
  const isPage = Array.isArray(parsed) || (isObject(parsed) && Array.isArray(parsed.results))
  const { tasks: _, comments: __, results: ___, ...others } = isPage ? {} : objectIn(parsed)
  report.fields.add({ ...others, ...tables })
  new SyncReader(tables, collector, report).read()
}

const isDeleted = (item: JsonObject) => item.is_deleted === true || item.is_deleted === 1
/** Priorities of the API count up: 4 is the highest, which the app calls p1. */
const PRIORITIES: Readonly<Record<number, number>> = { 4: 1, 3: 2, 2: 3 }

class SyncReader {
  private readonly boards = new Map<string, BoardDraft>()
  private readonly sections = new Map<string, string>()

  constructor(
    private readonly tables: Tables,
    private readonly collector: RecordCollector,
    private readonly report: Report,
  ) {}

  read(): void {
    const { user, collaborators, projects, items, notes } = this.tables
    for (const person of [user, ...collaborators])
      this.collector.person(
        stringIn(person.id),
        firstOf(person, 'full_name', 'name'),
        stringIn(person.email),
      )
    const names = new Map(projects.map((project) => [stringIn(project.id), stringIn(project.name)]))
    for (const project of projects) if (!isDeleted(project)) this.addBoard(project, names)
    this.addSections()
    for (const item of items)
      if (!stringIn(item.id)) this.report.lose(`Task ${stringIn(item.content)}`, 'It has no id')
      else if (!isDeleted(item)) this.addItem(item)
    for (const note of notes) if (!isDeleted(note)) this.addNote(note)
    this.collector.taskOfLink = (url) =>
      /^https:\/\/(?:app\.)?todoist\.com\/.*(?:task\/(?:[^/?#]*-)?|id=)(\w+)(?:[?#].*)?$/.exec(
        url,
      )?.[1]
  }

  private addBoard(project: JsonObject, names: ReadonlyMap<string, string>): void {
    const id = stringIn(project.id)
    const parent = names.get(stringIn(project.parent_id))
    const notes = this.tables.project_notes.filter(
      (note) => stringIn(note.project_id) === id && !isDeleted(note),
    )
    const description = joinTexts(
      stringIn(project.description),
      parent && `Part of the project ${parent}.`,
      ...notes.map((note) => stringIn(note.content)),
    )
    const board = this.collector.board(id, stringIn(project.name), {
      description: description.slice(0, 1_048_576) || undefined,
    })
    this.boards.set(id, board)
  }

  private addSections(): void {
    const sections = this.tables.sections.filter((section) => !isDeleted(section))
    for (const item of this.tables.items)
      if (!isDeleted(item) && stringIn(item.id) && !stringIn(item.section_id))
        this.boards.get(stringIn(item.project_id))?.column('To do')
    const orderOf = ({ section_order, order }: JsonObject) => Number(section_order ?? order ?? 0)
    for (const section of sections.toSorted((a, b) => orderOf(a) - orderOf(b))) {
      const board = this.boards.get(stringIn(section.project_id))
      if (board) this.sections.set(stringIn(section.id), board.column(stringIn(section.name)))
    }
    for (const label of this.tables.labels)
      for (const board of this.boards.values())
        if (this.usesLabel(board.id, stringIn(label.name)))
          board.label(stringIn(label.name), colorOf(label.color))
  }

  private labelsOf?: Map<string, Set<string>>

  private usesLabel(board: string, label: string): boolean {
    this.labelsOf ??= this.tables.items.reduce((map, item) => {
      const known = map.get(stringIn(item.project_id)) ?? new Set()
      for (const name of stringsIn(item.labels)) known.add(name)
      return map.set(stringIn(item.project_id), known)
    }, new Map<string, Set<string>>())
    return this.labelsOf.get(board)?.has(label) ?? false
  }

  private addItem(item: JsonObject): void {
    const project = stringIn(item.project_id) || 'inbox'
    const board = this.boards.get(project) ?? this.collector.board(project, 'Inbox')
    this.boards.set(project, board)
    const isDone = item.checked === true || item.checked === 1 || item.is_completed === true
    const { title, links, isHeading } = parseTaskText(stringIn(item.content), false)
    const { fields, ...dates } = this.datesOf(item)
    if (isHeading) fields.push({ name: 'Heading', type: 'checkbox', value: true })
    const responsible = this.person(item, 'responsible_uid', 'assignee_id')
    const draft: TaskDraft = {
      id: stringIn(item.id),
      board: board.id,
      column: isDone ? board.doneColumn() : this.columnOf(item, board),
      title,
      description: joinTexts(links.join('\n'), stringIn(item.description)),
      content_type: 'markdown',
      priority: PRIORITIES[Number(item.priority)] ?? 0,
      ...dates,
      labels: stringsIn(item.labels),
      assignees: responsible ? [responsible] : [],
      parent: stringIn(item.parent_id) || undefined,
      created_by: this.person(item, 'added_by_uid', 'creator_id', 'user_id'),
      created_at: parseMoment(firstOf(item, 'added_at', 'created_at', 'date_added')),
      updated_at: parseMoment(stringIn(item.updated_at)),
      completed_at: isDone
        ? parseMoment(firstOf(item, 'completed_at', 'date_completed'))
        : undefined,
      fields,
    }
    this.collector.task(draft)
  }

  private columnOf(item: JsonObject, board: BoardDraft): string {
    return this.sections.get(stringIn(item.section_id)) ?? board.column('To do')
  }

  private person(item: JsonObject, ...names: string[]): string | undefined {
    return this.collector.person(firstOf(item, ...names))
  }

  private datesOf(item: JsonObject) {
    const due = objectIn(item.due)
    const zone = stringIn(due.timezone) || stringIn(objectIn(this.tables.user.tz_info).timezone)
    const date = parseDate(firstOf(due, 'datetime', 'date'), { zone: zone || 'UTC' })
    const text = stringIn(due.string)
    const repeat = due.is_recurring === true ? repeatText(text.toLowerCase().trim()) : undefined
    const { today = date ?? '2026-01-01' } = { today: date?.slice(0, 10) }
    const rule = repeat && parseDateText(text, { today, zone: 'UTC' })?.recurrence
    const deadline = parseDate(stringIn(objectIn(item.deadline).date))
    const { fields, ...dates } = planDates({ due: date, deadline, recurrence: rule })
    if (due.is_recurring === true && !rule) {
      this.report.lose(`Repeat "${text}"`, 'It is in the custom field Repeats')
      fields.push({ name: 'Repeats', type: 'text', value: text || 'yes' })
    }
    const { amount, unit } = objectIn(item.duration)
    return { ...dates, fields: [...fields, ...durationField(Number(amount), stringIn(unit))] }
  }

  private addNote(note: JsonObject): void {
    const task = firstOf(note, 'item_id', 'task_id')
    if (!this.collector.tasks.has(task)) return
    const id = stringIn(note.id)
    const created_at = parseMoment(stringIn(note.posted_at))
    const author = this.person(note, 'posted_uid', 'posted_by_uid')
    const text = stringIn(note.content)
    const comment = this.collector.comment({
      id,
      task,
      text,
      author,
      created_at,
      content_type: 'markdown',
    })
    const file = objectIn(note.file_attachment ?? note.attachment)
    addFile(this.collector, file, { id, task, comment, created_by: author, created_at })
  }
}
