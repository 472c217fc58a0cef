import { type Csv, type CsvRow, parseCsv } from '../../csv.ts'
import type { Report, SourceFile } from '../../source.ts'
import { textOf } from '../../text.ts'
import { type ColumnType, columnType, typedValue } from '../csv/column-types.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { valuesIn } from '../shared/csv-values.ts'
import { type DateContext, decideDateOrder, parseDate, parseMoment } from '../shared/dates.ts'
import type { RecordCollector } from '../shared/record-collector.ts'
import { isDoneWord } from '../shared/status-words.ts'
import type { TypedValue } from '../shared/task-limits.ts'

const HEADER = /^["']?Task ID["']?[,;\t]/m
const COLUMNS = new Set(
  [
    'Task ID|Created At|Completed At|Last Modified|Name|Section/Column|Assignee|Assignee Email',
    'Start Date|Due Date|Tags|Notes|Projects|Parent task|Parent Task|Blocked By (Dependencies)',
    'Blocking (Dependencies)|Priority',
  ].flatMap((names) => names.split('|')),
)

export const isAsanaCsv = (text: string): boolean =>
  HEADER.test(text) && /Section\/Column|Parent task/i.test(text.slice(0, 4000))

/** Sheets that are synced by Asana have lines above the header. */
export async function asanaCsvOf(file: SourceFile): Promise<Csv> {
  const text = await textOf(file)
  return parseCsv(text.slice(HEADER.exec(text)?.index ?? 0), file.path)
}

export class CsvProject {
  private readonly byName = new Map<string, string>()
  private readonly dates: DateContext
  private readonly types: Map<string, ColumnType>

  constructor(
    private readonly csv: Csv,
    private readonly board: BoardDraft,
    private readonly collector: RecordCollector,
    private readonly report: Report,
  ) {
    const names = ['Start Date', 'Due Date', 'Created At', 'Last Modified']
    this.dates = {
      order: decideDateOrder(
        csv.rows.flatMap((row) => names.flatMap((name) => row.all(name))),
        'month first',
        report,
      ),
    }
    const others = [...new Set(csv.header)].filter((name) => name && !COLUMNS.has(name))
    this.types = new Map(
      others.map((name) => [
        name,
        columnType(
          csv.rows.map((row) => row.get(name)),
          this.dates,
        ),
      ]),
    )
  }

  read(): void {
    const { rows } = this.csv
    for (const row of rows) {
      const section = sectionOf(row)
      if (!isDoneWord(section)) this.board.column(section)
    }
    const ids = rows.map((row) => this.addTask(row))
    rows.forEach((row, at) => {
      this.connect(row, ids[at]!)
    })
  }

  private addTask(row: CsvRow): string {
    this.report.fields.add(valuesIn(this.csv, row))
    const section = sectionOf(row)
    const completed_at = parseMoment(row.get('Completed At'), this.dates)
    const isDone = completed_at !== undefined || isDoneWord(section)
    const person = this.collector.person(
      row.get('Assignee Email'),
      row.get('Assignee'),
      row.get('Assignee Email'),
    )
    const parent = this.byName.get(row.get('Parent task') || row.get('Parent Task'))
    const id = this.collector.task({
      id: idOf(row),
      board: this.board.id,
      column: this.columnOf(section, isDone),
      title: row.get('Name'),
      description: row.get('Notes'),
      content_type: 'markdown',
      priority: row.get('Priority') || undefined,
      start_date: parseDate(row.get('Start Date'), this.dates),
      due_date: parseDate(row.get('Due Date'), this.dates),
      labels: row.get('Tags').split(','),
      assignees: person ? [person] : [],
      parent,
      created_at: parseMoment(row.get('Created At'), this.dates),
      updated_at: parseMoment(row.get('Last Modified'), this.dates),
      completed_at,
      fields: this.fieldsOf(row, isDone && !isDoneWord(section) ? section : ''),
    })
    this.byName.set(row.get('Name'), id)
    return id
  }

  private columnOf(section: string, isDone: boolean): string {
    if (isDoneWord(section)) return this.board.column(section, { done: true })
    return isDone ? this.board.doneColumn() : this.board.column(section)
  }

  private fieldsOf(row: CsvRow, section: string): TypedValue[] {
    const others = row
      .get('Projects')
      .split(',')
      .map((name) => name.trim())
    const projects = others.filter((name) => name && name !== this.board.title).join(', ')
    const fields = [...this.types].map(([name, type]) =>
      typedValue(name, type, row.all(name).join(', '), this.dates),
    )
    return [
      section ? ({ name: 'Section', type: 'select', value: section } as const) : undefined,
      projects ? ({ name: 'Other projects', type: 'text', value: projects } as const) : undefined,
      ...fields,
    ].filter((field) => field !== undefined)
  }

  /** Names of tasks may have commas, so the whole text is tried first. */
  private connect(row: CsvRow, id: string): void {
    const tasksIn = (text: string) => {
      const whole = this.byName.get(text)
      const names = whole || !text ? [] : text.split(',').map((name) => name.trim())
      return [...(whole ? [whole] : []), ...names.flatMap((name) => this.find(name))]
    }
    for (const other of tasksIn(row.get('Blocked By (Dependencies)')))
      this.collector.relation('blocks', other, id)
    for (const other of tasksIn(row.get('Blocking (Dependencies)')))
      this.collector.relation('blocks', id, other)
    const parent = row.get('Parent task') || row.get('Parent Task')
    const task = this.collector.tasks.get(id)!
    if (!parent || task.parent) return
    task.parent = this.find(parent)[0]
  }

  private find(name: string): string[] {
    const id = this.byName.get(name)
    if (!id) this.report.lose(`Link to ${name}`, 'It is not in the file')
    return id ? [id] : []
  }
}

const sectionOf = (row: CsvRow) => row.get('Section/Column').replace(/^\(no section\)$/i, '')

/** Spreadsheets shorten long ids to 1.2E+15, which is the same for many tasks. */
function idOf(row: CsvRow): string {
  const id = row.get('Task ID')
  const isExact = id && !/e\+/i.test(id)
  return isExact ? id : `${row.get('Name').slice(0, 400)} ${row.get('Created At')}`.trim()
}
