import type { Report, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { parseDate, parseMoment } from '../shared/dates.ts'
import { firstOf, isObject, type Json, objectOf, stringOf, stringsOf } from '../shared/json.ts'
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
  const { tasks: _, comments: __, results: ___, ...others } = isPage ? {} : objectOf(parsed)
  report.fields.add({ ...others, ...tables })
  new SyncReader(tables, collector, report).read()
}

const isDeleted = (item: Json) => item.is_deleted === true || item.is_deleted === 1
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
        stringOf(person.id),
        firstOf(person, 'full_name', 'name'),
        stringOf(person.email),
      )
    const names = new Map(projects.map((project) => [stringOf(project.id), stringOf(project.name)]))
    for (const project of projects) if (!isDeleted(project)) this.addBoard(project, names)
    this.addSections()
    for (const item of items)
      if (!stringOf(item.id)) this.report.lose(`Task ${stringOf(item.content)}`, 'It has no id')
      else if (!isDeleted(item)) this.addItem(item)
    for (const note of notes) if (!isDeleted(note)) this.addNote(note)
    this.collector.taskOfLink = (url) =>
      /^https:\/\/(?:app\.)?todoist\.com\/.*(?:task\/(?:[^/?#]*-)?|id=)(\w+)(?:[?#].*)?$/.exec(
        url,
      )?.[1]
  }

  private addBoard(project: Json, names: ReadonlyMap<string, string>): void {
    const id = stringOf(project.id)
    const parent = names.get(stringOf(project.parent_id))
    const notes = this.tables.project_notes.filter(
      (note) => stringOf(note.project_id) === id && !isDeleted(note),
    )
    const description = joinTexts(
      stringOf(project.description),
      parent && `Part of the project ${parent}.`,
      ...notes.map((note) => stringOf(note.content)),
    )
    const board = this.collector.board(id, stringOf(project.name), {
      description: description.slice(0, 1_048_576) || undefined,
    })
    this.boards.set(id, board)
  }

  private addSections(): void {
    const sections = this.tables.sections.filter((section) => !isDeleted(section))
    for (const item of this.tables.items)
      if (!isDeleted(item) && stringOf(item.id) && !stringOf(item.section_id))
        this.boards.get(stringOf(item.project_id))?.column('To do')
    const orderOf = ({ section_order, order }: Json) => Number(section_order ?? order ?? 0)
    for (const section of sections.toSorted((a, b) => orderOf(a) - orderOf(b))) {
      const board = this.boards.get(stringOf(section.project_id))
      if (board) this.sections.set(stringOf(section.id), board.column(stringOf(section.name)))
    }
    for (const label of this.tables.labels)
      for (const board of this.boards.values())
        if (this.usesLabel(board.id, stringOf(label.name)))
          board.label(stringOf(label.name), colorOf(label.color))
  }

  private labelsOf?: Map<string, Set<string>>

  private usesLabel(board: string, label: string): boolean {
    this.labelsOf ??= this.tables.items.reduce((map, item) => {
      const known = map.get(stringOf(item.project_id)) ?? new Set()
      for (const name of stringsOf(item.labels)) known.add(name)
      return map.set(stringOf(item.project_id), known)
    }, new Map<string, Set<string>>())
    return this.labelsOf.get(board)?.has(label) ?? false
  }

  private addItem(item: Json): void {
    const project = stringOf(item.project_id) || 'inbox'
    const board = this.boards.get(project) ?? this.collector.board(project, 'Inbox')
    this.boards.set(project, board)
    const isDone = item.checked === true || item.checked === 1 || item.is_completed === true
    const { title, links, isHeading } = parseTaskText(stringOf(item.content), false)
    const { fields, ...dates } = this.datesOf(item)
    if (isHeading) fields.push({ name: 'Heading', type: 'checkbox', value: true })
    const responsible = this.person(item, 'responsible_uid', 'assignee_id')
    const draft: TaskDraft = {
      id: stringOf(item.id),
      board: board.id,
      column: isDone ? board.doneColumn() : this.columnOf(item, board),
      title,
      description: joinTexts(links.join('\n'), stringOf(item.description)),
      content_type: 'markdown',
      priority: PRIORITIES[Number(item.priority)] ?? 0,
      ...dates,
      labels: stringsOf(item.labels),
      assignees: responsible ? [responsible] : [],
      parent: stringOf(item.parent_id) || undefined,
      created_by: this.person(item, 'added_by_uid', 'creator_id', 'user_id'),
      created_at: parseMoment(firstOf(item, 'added_at', 'created_at', 'date_added')),
      updated_at: parseMoment(stringOf(item.updated_at)),
      completed_at: isDone
        ? parseMoment(firstOf(item, 'completed_at', 'date_completed'))
        : undefined,
      fields,
    }
    this.collector.task(draft)
  }

  private columnOf(item: Json, board: BoardDraft): string {
    return this.sections.get(stringOf(item.section_id)) ?? board.column('To do')
  }

  private person(item: Json, ...names: string[]): string | undefined {
    return this.collector.person(firstOf(item, ...names))
  }

  private datesOf(item: Json) {
    const due = objectOf(item.due)
    const zone = stringOf(due.timezone) || stringOf(objectOf(this.tables.user.tz_info).timezone)
    const date = parseDate(firstOf(due, 'datetime', 'date'), { zone: zone || 'UTC' })
    const text = stringOf(due.string)
    const repeat = due.is_recurring === true ? repeatText(text.toLowerCase().trim()) : undefined
    const { today = date ?? '2026-01-01' } = { today: date?.slice(0, 10) }
    const rule = repeat && parseDateText(text, { today, zone: 'UTC' })?.recurrence
    const deadline = parseDate(stringOf(objectOf(item.deadline).date))
    const { fields, ...dates } = planDates({ due: date, deadline, recurrence: rule })
    if (due.is_recurring === true && !rule) {
      this.report.lose(`Repeat "${text}"`, 'It is in the custom field Repeats')
      fields.push({ name: 'Repeats', type: 'text', value: text || 'yes' })
    }
    const { amount, unit } = objectOf(item.duration)
    return { ...dates, fields: [...fields, ...durationField(Number(amount), stringOf(unit))] }
  }

  private addNote(note: Json): void {
    const task = firstOf(note, 'item_id', 'task_id')
    if (!this.collector.tasks.has(task)) return
    const id = stringOf(note.id)
    const created_at = parseMoment(stringOf(note.posted_at))
    const author = this.person(note, 'posted_uid', 'posted_by_uid')
    const text = stringOf(note.content)
    const comment = this.collector.comment({
      id,
      task,
      text,
      author,
      created_at,
      content_type: 'markdown',
    })
    const file = objectOf(note.file_attachment ?? note.attachment)
    addFile(this.collector, file, { id, task, comment, created_by: author, created_at })
  }
}
