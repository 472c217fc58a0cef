import { type Csv, type CsvRow, csvOf } from '../../csv.ts'
import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { stemOf } from '../shared/csv-values.ts'
import { type DateContext, decideDateOrder } from '../shared/dates.ts'
import { type ColumnType, columnType, numberOf } from './column-types.ts'
import { type Role, rolesOf } from './roles.ts'

const DATES: readonly Role[] = ['due', 'start', 'created', 'updated', 'completed']
const NAMELESS = 'Column without a name'

/** A parsed CSV file with the meaning of its columns. */
export interface Table {
  stem: string
  /** The names of the columns, each once. */
  columns: string[]
  rows: CsvRow[]
  roles: ReadonlyMap<Role, string>
  dates: DateContext
  /** The other columns with their types. */
  others: { column: string; name: string; type: ColumnType }[]
}

/** `mapping` says which field a column is; the other columns are recognized by their names. */
export async function tableOf(
  file: SourceFile,
  mapping: Readonly<Record<string, string>>,
  report: Report,
): Promise<Table> {
  const csv = await csvOf(file)
  const columns = [...new Set(csv.header)]
  const valuesOf = valuesByColumn(csv, columns)
  const roles = rolesOf(columns, mapping)
  dropUnfitRoles(roles, valuesOf)
  if (!roles.has('title')) {
    const free = columns.filter((column) => mapping[column] === undefined)
    addTitle(roles, free, valuesOf, file)
  }
  const dates = datesOf(DATES, roles, valuesOf, report)
  const used = new Set(roles.values())
  const isOther = (column: string) => !used.has(column) && mapping[column] !== 'ignore'
  return {
    stem: stemOf(file.path),
    columns,
    rows: csv.rows,
    roles,
    dates,
    others: columns
      .filter((column) => isOther(column) && valuesOf(column).some(Boolean))
      .map((column) => ({
        column,
        name: column || NAMELESS,
        type: columnType(valuesOf(column), dates),
      })),
  }
}

function valuesByColumn({ rows }: Csv, columns: readonly string[]) {
  const values = new Map(
    columns.map((column) => [column, rows.map((row) => row.all(column).join(', '))]),
  )
  return (column: string): readonly string[] => values.get(column) ?? []
}

const SIZE = /^(?:xs|s|m|l|xl)$/i

/** Columns with a known name but unsuitable values become custom fields. */
function dropUnfitRoles(
  roles: Map<Role, string>,
  valuesOf: (column: string) => readonly string[],
): void {
  const every = (role: Role, fits: (value: string) => boolean) => {
    const column = roles.get(role)
    const values = column === undefined ? [] : valuesOf(column).filter(Boolean)
    return values.every(fits)
  }
  if (!every('estimate', (value) => SIZE.test(value.trim()))) roles.delete('estimate')
  if (!every('url', (value) => /^https?:\/\//.test(value))) roles.delete('url')
  if (roles.has('comment') && every('comment', (value) => numberOf(value) !== undefined))
    roles.delete('comment')
  if (new Set(valuesOf(roles.get('board') ?? '')).size > 100) roles.delete('board')
  const { size } = new Set(valuesOf(roles.get('status') ?? ''))
  if (size > 60) roles.delete('status')
}

function addTitle(
  roles: Map<Role, string>,
  columns: readonly string[],
  valuesOf: (column: string) => readonly string[],
  { path }: SourceFile,
): void {
  const used = new Set(roles.values())
  const isText = (column: string) =>
    valuesOf(column).some((value) => /\p{L}/u.test(value) && !/^https?:/.test(value))
  const column =
    columns.find((one) => one && !used.has(one) && isText(one)) ??
    roles.get('key') ??
    roles.get('id')
  if (column === undefined)
    throw new ImportProblem(
      'No column has the titles of the tasks',
      'Name one "Title", or say which column it is',
      { file: path, line: 1 },
    )
  for (const [role, other] of roles) if (other === column && role !== 'key') roles.delete(role)
  roles.set('title', column)
}

function datesOf(
  names: readonly Role[],
  roles: ReadonlyMap<Role, string>,
  valuesOf: (column: string) => readonly string[],
  report: Report,
): DateContext {
  const values = names.flatMap((role) =>
    roles.has(role) ? valuesOf(roles.get(role)!).filter(Boolean) : [],
  )
  return { order: decideDateOrder(values, 'month first', report) }
}
