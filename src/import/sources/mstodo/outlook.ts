import { type CsvRow, csvOf } from '../../csv.ts'
import type { Report, SourceFile } from '../../source.ts'
import { numberOf } from '../csv/column-types.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { valuesIn } from '../shared/csv-values.ts'
import { type DateContext, decideDateOrder, parseDate, parseMoment } from '../shared/dates.ts'
import type { RecordCollector } from '../shared/record-collector.ts'
import type { TypedValue } from '../shared/task-limits.ts'

export const isOutlookCsv = (text: string): boolean =>
  /^\W*Subject\W/.test(text) && /Reminder On\/Off|Date Completed/.test(text.slice(0, 2000))

const DATES = ['Start Date', 'Due Date', 'Date Completed', 'Reminder Date']
const OTHERS = [
  'Total Work',
  'Actual Work',
  'Billing Information',
  'Companies',
  'Contacts',
  'Mileage',
  'Role',
]

/** Adds the tasks that Outlook exports as CSV. */
export async function addOutlookTasks(
  file: SourceFile,
  board: BoardDraft,
  collector: RecordCollector,
  report: Report,
): Promise<void> {
  const csv = await csvOf(file)
  const values = csv.rows.flatMap((row) => DATES.flatMap((name) => row.all(name)))
  const order = decideDateOrder(values, 'month first', report)
  for (const row of csv.rows) {
    report.fields.add(valuesIn(csv, row))
    addRow(row, board, collector, { order })
  }
}

/** Outlook writes 0:00 or "none" where there is no date. */
const dateIn = (row: CsvRow, name: string, dates: DateContext) =>
  parseDate(row.get(name), dates)?.slice(0, 10)

function addRow(
  row: CsvRow,
  board: BoardDraft,
  collector: RecordCollector,
  dates: DateContext,
): void {
  const completed = dateIn(row, 'Date Completed', dates)
  const status = row.get('Status') || 'Not Started'
  const isDone = completed !== undefined || /^completed?$/i.test(status)
  collector.task({
    id: `${board.id}/${row.get('Subject').slice(0, 400)}`,
    board: board.id,
    column: isDone ? board.column('Completed', { done: true }) : board.column(status),
    title: row.get('Subject'),
    description: row.get('Notes'),
    content_type: 'markdown',
    priority: /^normal$/i.test(row.get('Priority')) ? 0 : row.get('Priority') || undefined,
    start_date: dateIn(row, 'Start Date', dates),
    due_date: dateIn(row, 'Due Date', dates),
    labels: row.get('Categories').split(/[;,]/),
    completed_at: completed && parseMoment(completed),
    fields: fieldsOf(row),
  })
}

function fieldsOf(row: CsvRow): TypedValue[] {
  const fields = OTHERS.flatMap((name): TypedValue[] => {
    const value = row.get(name)
    if (!value || value === '0') return []
    const number = numberOf(value)
    const isNumber = name.endsWith('Work') && number !== undefined
    return [isNumber ? { name, type: 'number', value: number } : { name, type: 'text', value }]
  })
  const percent = numberOf(row.get('% Complete').replace('%', ''))
  if (percent !== undefined && percent > 0 && percent < 1)
    fields.push({ name: '% Complete', type: 'number', value: percent })
  const sensitivity = row.get('Sensitivity')
  if (sensitivity && !/^normal$/i.test(sensitivity))
    fields.push({ name: 'Sensitivity', type: 'select', value: sensitivity })
  return fields
}
