import { csvOf, parseCsv } from '../../csv.ts'
import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { counted } from '../shared/counted.ts'
import { decideDateOrder, parseDate } from '../shared/dates.ts'
import type { Json } from '../shared/json.ts'

/** The columns of an export, in order. Their names are in the language of the user. */
const COLUMNS = [
  ...['Task Id', 'Reference', 'Project', 'Status', 'Category', 'Swimlane', 'Column', 'Position'],
  ...['Color', 'Due date', 'Creator', 'Creator Name', 'Assignee Username', 'Assignee Name'],
  ...['Complexity', 'Title', 'Creation date', 'Modification date', 'Completion date'],
  ...['Start date', 'Time estimated', 'Time spent', 'Priority', 'Tags'],
]
const DATES = ['Due date', 'Creation date', 'Modification date', 'Completion date', 'Start date']

const NUMBERS = ['Task Id', 'Position', 'Complexity', 'Time estimated', 'Time spent', 'Priority']

/** Whether the first lines are those of an export, in whatever language its header is. */
export function isTaskExport(lines: string): boolean {
  if (/^\W*Task Id\b.*Swimlane/.test(lines)) return true
  try {
    const { header, rows } = parseCsv(lines, '')
    const names = NUMBERS.map((name) => header[COLUMNS.indexOf(name)] ?? '')
    const isRow = names.every((name) => /^\d+(?:\.\d+)?$/.test(rows[0]?.get(name) ?? ''))
    return header.length === COLUMNS.length && isRow
  } catch {
    return false
  }
}

type Row = Readonly<Record<string, string>>

/** Reads an export of tasks as a project of the API. */
export async function csvProject(file: SourceFile, report: Report): Promise<Json> {
  const rows = await rowsOf(file, report)
  const samples = rows.flatMap((row) => DATES.map((column) => row[column] ?? ''))
  const order = decideDateOrder(samples, 'month first', report)
  report.lose(
    `Descriptions, comments, subtasks and files of ${counted(rows.length, 'task')}`,
    'a CSV export does not have them; import from the address of the board',
  )
  const project = rows.find((row) => row.Project)?.Project ?? 'Kanboard'
  return {
    project: { id: project, name: project },
    columns: distinct(rows, 'Column').map((title) => ({ id: title, title })),
    swimlanes: distinct(rows, 'Swimlane').map((name) => ({ id: name, name })),
    categories: distinct(rows, 'Category').map((name) => ({ id: name, name })),
    users: [
      ...usersOf(rows, 'Assignee Username', 'Assignee Name'),
      ...usersOf(rows, 'Creator', 'Creator Name'),
    ],
    tasks: rows.map((row) => taskOf(row, (text) => parseDate(text, { order }))),
  }
}

async function rowsOf(file: SourceFile, report: Report): Promise<Row[]> {
  const { header, rows } = await csvOf(file)
  const isEnglish = header.includes('Task Id') && header.includes('Title')
  if (!isEnglish && header.length !== COLUMNS.length)
    throw new ImportProblem(
      'These are not the columns of a task export',
      'Set your language in Kanboard to English (US), and export the tasks again',
      { file: file.path, line: 1 },
    )
  return rows.map((row) => {
    const values = header.map((column, at) => [isEnglish ? column : COLUMNS[at]!, row.get(column)])
    const record = Object.fromEntries(values) as Row
    report.fields.add(record, 'csv[]')
    return record
  })
}

const distinct = (rows: readonly Row[], column: string): string[] => [
  ...new Set(rows.map((row) => row[column] ?? '').filter(Boolean)),
]

const usersOf = (rows: readonly Row[], id: string, name: string): Json[] =>
  rows
    .filter((row) => row[id])
    .map((row) => ({ id: row[id], username: row[id], name: row[name] ?? '' }))

const taskOf = (row: Row, date: (text: string) => string | undefined): Json => ({
  id: row['Task Id'],
  reference: row.Reference,
  title: row.Title,
  column_id: row.Column,
  swimlane_id: row.Swimlane,
  category_id: row.Category,
  color_id: row.Color,
  owner_id: row['Assignee Username'],
  creator_id: row.Creator,
  position: row.Position,
  is_active: isOpen(row) ? 1 : 0,
  score: row.Complexity,
  priority: row.Priority,
  date_due: date(row['Due date'] ?? ''),
  date_started: date(row['Start date'] ?? ''),
  date_creation: date(row['Creation date'] ?? ''),
  date_modification: date(row['Modification date'] ?? ''),
  date_completed: date(row['Completion date'] ?? ''),
  time_estimated: row['Time estimated'],
  time_spent: row['Time spent'],
  tags: (row.Tags ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean),
})

/** The status is in the language of the user, too; only closed tasks have a completion date. */
const isOpen = (row: Row): boolean =>
  row.Status === 'Open' || (row.Status !== 'Closed' && !row['Completion date'])
