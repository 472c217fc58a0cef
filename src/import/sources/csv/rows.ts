import type { CsvRow } from '../../csv.ts'
import type { Report } from '../../source.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { parseDate, parseMoment } from '../shared/dates.ts'
import type { RecordCollector } from '../shared/record-collector.ts'
import { isDoneWord } from '../shared/status-words.ts'
import type { TypedValue } from '../shared/task-limits.ts'
import { isFalse, isTrue, typedValue } from './column-types.ts'
import { peopleIn } from './people.ts'
import { ROLES, type Role } from './roles.ts'
import type { Table } from './table.ts'

const ESTIMATES: Readonly<Record<string, number>> = { xs: 2, s: 3, m: 4, l: 5, xl: 6 }

/** Adds the tasks of a table to the records. */
export function addRows(
  table: Table,
  mapping: Readonly<Record<string, string>>,
  collector: RecordCollector,
  report: Report,
): void {
  const reader = new RowReader(table, collector, report)
  const ignored = Object.keys(mapping).filter((column) => mapping[column] === 'ignore')
  for (const row of table.rows) {
    reader.addColumns(row)
    reader.count(row, ignored)
  }
  const ids = table.rows.map((row) => reader.addTask(row))
  table.rows.forEach((row, at) => {
    reader.connect(row, ids[at])
  })
}

class RowReader {
  /** Tasks by their ids, keys and titles, by which other rows refer to them. */
  private readonly references = new Map<string, string>()

  constructor(
    private readonly table: Table,
    private readonly collector: RecordCollector,
    private readonly report: Report,
  ) {}

  private get(row: CsvRow, role: Role): string {
    const column = this.table.roles.get(role)
    return column === undefined ? '' : row.get(column).trim()
  }

  private all(row: CsvRow, role: Role): string[] {
    const column = this.table.roles.get(role)
    return column === undefined ? [] : row.all(column)
  }

  count(row: CsvRow, ignored: readonly string[]): void {
    const roles = ROLES.filter((role) => this.table.roles.has(role))
    const known = Object.fromEntries(roles.map((role) => [role, this.get(row, role)]))
    const others = this.table.others.map(({ column, name }) => [
      name in known || name === 'ignored' ? `${name} ` : name,
      row.get(column),
    ])
    const left = ignored.map((column) => row.get(column))
    this.report.fields.add({
      ...known,
      ...Object.fromEntries(others),
      ...(left.length && { ignored: left }),
    })
  }

  private boardOf(row: CsvRow): BoardDraft {
    const name = this.get(row, 'board')
    return this.collector.board(name || this.table.stem, name || this.table.stem)
  }

  /** Columns that are not done come first, in the order of the file. */
  addColumns(row: CsvRow): void {
    const status = this.get(row, 'status')
    if (!isDoneWord(status)) this.boardOf(row).column(status)
  }

  private columnOf(row: CsvRow, board: BoardDraft): string {
    const status = this.get(row, 'status')
    if (isDoneWord(status)) return board.column(status, { done: true })
    const completed = this.get(row, 'completed')
    const isDone = isTrue(completed) || isDoneWord(completed) || this.completedAt(row) !== undefined
    return isDone ? board.doneColumn() : board.column(status)
  }

  private completedAt = (row: CsvRow) => parseMoment(this.get(row, 'completed'), this.table.dates)

  addTask(row: CsvRow): string | undefined {
    const title = this.get(row, 'title') || this.get(row, 'key')
    const board = this.boardOf(row)
    if (!title) return void this.report.lose(`Line ${row.line}`, 'It has no title')
    const { dates } = this.table
    const [author] = peopleIn(this.get(row, 'author'), this.collector)
    const id = this.collector.task({
      id: this.idOf(row, title),
      board: board.id,
      column: this.columnOf(row, board),
      title,
      key: this.get(row, 'key') || undefined,
      description: this.all(row, 'description').join('\n\n'),
      content_type: 'markdown',
      priority: this.get(row, 'priority').slice(0, 100) || undefined,
      estimate: ESTIMATES[this.get(row, 'estimate').toLowerCase()],
      start_date: parseDate(this.get(row, 'start'), dates),
      due_date: parseDate(this.get(row, 'due'), dates),
      labels: this.all(row, 'labels').flatMap((text) => text.split(/[,;|\n]/)),
      assignees: this.all(row, 'assignees').flatMap((text) => peopleIn(text, this.collector)),
      archived: isTrue(this.get(row, 'archived')) || undefined,
      created_by: author,
      created_at: parseMoment(this.get(row, 'created'), dates),
      updated_at: parseMoment(this.get(row, 'updated'), dates),
      completed_at: this.completedAt(row),
      fields: this.fieldsOf(row),
    })
    this.remember(id, row, title)
    return id
  }

  private idOf(row: CsvRow, title: string): string {
    const created = this.get(row, 'created')
    return (
      this.get(row, 'id') ||
      this.get(row, 'key') ||
      this.get(row, 'url') ||
      `${title.slice(0, 400)}${created && ` ${created}`}`
    )
  }

  private remember(id: string, row: CsvRow, title: string): void {
    for (const name of [this.get(row, 'id'), this.get(row, 'key'), title])
      if (name && !this.references.has(name.toLowerCase()))
        this.references.set(name.toLowerCase(), id)
  }

  private fieldsOf(row: CsvRow): TypedValue[] {
    const values = this.table.others.map(({ column, name, type }) =>
      typedValue(name, type, row.all(column).join(', '), this.table.dates),
    )
    const url = this.get(row, 'url')
    const unread = (['due', 'start', 'created', 'updated', 'completed'] as const).map((role) => {
      const text = this.get(row, role)
      const isFlag = role === 'completed' && (isTrue(text) || isFalse(text) || isDoneWord(text))
      if (!text || isFlag || parseDate(text, this.table.dates)) return undefined
      const name = this.table.roles.get(role)!
      return { name, type: 'text', value: text } satisfies TypedValue
    })
    return [
      ...(url ? [{ name: 'URL', type: 'url', value: url } satisfies TypedValue] : []),
      ...[...values, ...unread].filter((value) => value !== undefined),
    ]
  }

  connect(row: CsvRow, id: string | undefined): void {
    if (id === undefined) return
    const [parent] = this.tasksIn(row, 'parent')
    const task = this.collector.tasks.get(id)!
    if (parent !== id) task.parent = parent
    for (const other of this.tasksIn(row, 'blocked_by'))
      this.collector.relation('blocks', other, id)
    for (const other of this.tasksIn(row, 'blocks')) this.collector.relation('blocks', id, other)
    const text = this.all(row, 'comment').join('\n\n')
    this.collector.comment({ id: `${id}/comment`, task: id, text, content_type: 'markdown' })
  }

  private tasksIn(row: CsvRow, role: Role): string[] {
    return this.all(row, role).flatMap((text) => {
      const whole = this.references.get(text.trim().toLowerCase())
      if (whole) return [whole]
      return text.split(/[,;\n]/).flatMap((name) => {
        const id = this.references.get(name.trim().toLowerCase())
        if (!id && name.trim()) this.report.lose(`Link to ${name.trim()}`, 'It is not in the file')
        return id ? [id] : []
      })
    })
  }
}
