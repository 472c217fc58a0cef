import type { Csv, CsvRow } from '../../csv.ts'
import type { Report } from '../../source.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { valuesIn } from '../shared/csv-values.ts'
import { type DateContext, parseDate, parseMoment } from '../shared/dates.ts'
import type { RecordCollector } from '../shared/record-collector.ts'
import { supportedRule } from '../shared/repeat-rules.ts'
import type { TypedValue } from '../shared/task-limits.ts'
import { dayIn } from '../shared/time-zones.ts'

const PRIORITIES: Readonly<Record<string, number>> = { 5: 2, 3: 3, 1: 4 }
const WONT_DO = '-1'
const isDone = (row: CsvRow) => /^[12]$/.test(row.get('Status'))

/** The ids of a backup are only numbers of its lines, so a task is known by its list and creation. */
const nameOf = (row: CsvRow) =>
  [row.get('Folder Name'), row.get('List Name'), row.get('Created Time'), row.get('Title')]
    .join('/')
    .slice(0, 450)

export class BackupReader {
  private readonly ids = new Map<string, string>()
  private readonly counts: ReadonlyMap<string, number>

  constructor(
    private readonly csv: Csv,
    private readonly collector: RecordCollector,
    private readonly report: Report,
  ) {
    const byName = Map.groupBy(csv.rows, nameOf)
    this.counts = new Map([...byName].map(([name, rows]) => [name, rows.length]))
  }

  read(): void {
    this.addColumns()
    const tasks = this.csv.rows.map((row) => this.addTask(row))
    this.csv.rows.forEach((row, at) => {
      const parent = row.get('parentId')
      const task = this.collector.tasks.get(tasks[at]!)!
      const id = this.ids.get(parent)
      if (id && id !== task.id) task.parent = id
      else if (parent) this.report.lose(`Parent of ${task.title}`, 'It is not in the backup')
    })
  }

  private boardOf(row: CsvRow): BoardDraft {
    const folder = row.get('Folder Name')
    const list = row.get('List Name') || 'Inbox'
    return this.collector.board(folder ? `${folder}/${list}` : list, list, {
      description: folder ? `In the folder ${folder}.` : undefined,
    })
  }

  private addColumns(): void {
    const orderOf = (row: CsvRow) => Number(row.get('Column Order')) || 0
    for (const row of this.csv.rows.toSorted((a, b) => orderOf(a) - orderOf(b)))
      if (!isDone(row) && row.get('Status') !== WONT_DO) this.boardOf(row).column(columnName(row))
  }

  private columnOf(row: CsvRow, board: BoardDraft): string {
    if (row.get('Status') === WONT_DO) return board.column("Won't do", { done: true })
    return isDone(row) ? board.column('Done', { done: true }) : board.column(columnName(row))
  }

  /** A repeating task has a line for each time that it was completed, with the same creation. */
  private idOf(row: CsvRow): string {
    const name = nameOf(row)
    const isOneOfMany = this.counts.get(name)! > 1 && row.get('Status') !== '0'
    return isOneOfMany ? `${name} ${row.get('Completed Time')}` : name
  }

  private addTask(row: CsvRow): string {
    this.report.fields.add(valuesIn(this.csv, row))
    const board = this.boardOf(row)
    const isOpen = !isDone(row) && row.get('Status') !== WONT_DO
    const repeat = isOpen ? this.repeatOf(row) : { fields: [] }
    const content = row.get('Content')
    if (/!\[(?:image|file)\]\([0-9a-f]{24}\//.test(content))
      this.report.lose(`Attachments of ${row.get('Title')}`, 'Backups do not contain files')
    const id = this.collector.task({
      id: this.idOf(row),
      board: board.id,
      column: this.columnOf(row, board),
      title: row.get('Title'),
      description: descriptionOf(content),
      content_type: 'markdown',
      priority: PRIORITIES[row.get('Priority')] ?? 0,
      ...datesOf(row),
      recurrence: repeat.rule,
      labels: row.get('Tags').split(/[,;]/),
      created_at: parseMoment(row.get('Created Time'), contextOf(row)),
      completed_at: isOpen ? undefined : parseMoment(row.get('Completed Time'), contextOf(row)),
      fields: [...kindOf(row), ...repeat.fields],
    })
    const number = row.get('taskId')
    if (number && !this.ids.has(number)) this.ids.set(number, id)
    return id
  }

  private repeatOf(row: CsvRow): { rule?: string; fields: TypedValue[] } {
    const text = row.get('Repeat')
    const rule = supportedRule(text)
    if (!text || rule) return { ...(rule && { rule }), fields: [] }
    this.report.lose(`Repeat ${text}`, 'It is in the custom field Repeats')
    return { fields: [{ name: 'Repeats', type: 'text', value: text }] }
  }
}

const columnName = (row: CsvRow) => row.get('Column Name').replace(/^Not Sectioned$/i, '')

function kindOf(row: CsvRow): TypedValue[] {
  const isNote = row.get('Kind').toUpperCase() === 'NOTE'
  return isNote ? [{ name: 'Kind', type: 'select', value: 'Note' }] : []
}

/** Items of a checklist are lines with a square, which is black if the item is done. */
const descriptionOf = (content: string): string =>
  content.replace(/\r\n?/g, '\n').replace(/^▫\s*/gm, '- [ ] ').replace(/^▪\s*/gm, '- [x] ')

const contextOf = (row: CsvRow): DateContext => ({ zone: row.get('Timezone') || 'UTC' })

function datesOf(row: CsvRow) {
  const { zone = 'UTC' } = contextOf(row)
  const dateIn = (column: string) => {
    const date = parseDate(row.get(column), { zone })
    const isAllDay = row.get('Is All Day').toLowerCase() === 'true'
    return isAllDay && date && date.length > 10 ? dayIn(zone, date) : date
  }
  const start = dateIn('Start Date')
  const due = dateIn('Due Date') ?? start
  return { start_date: start === due ? undefined : start, due_date: due }
}
