import { FieldAccount } from '../../fields.ts'
import type { Report, SourceFile } from '../../source.ts'
import type { ColumnRole } from './roles.ts'
import { tableOf } from './table.ts'
import { tablesIn } from './tables-in.ts'

export interface CsvColumn {
  column: string
  role: ColumnRole
  /** Its first value; empty if it has none. */
  sample: string
}

const MAX_SAMPLE = 100
const short = (text: string) => (text.length > MAX_SAMPLE ? `${text.slice(0, MAX_SAMPLE)}…` : text)

/** What each column of CSV files is, as `mapping` says or as it is recognized. */
export async function columnsOf(
  files: readonly SourceFile[],
  mapping: Readonly<Record<string, string>>,
): Promise<CsvColumn[]> {
  const report: Report = { fields: new FieldAccount({}), lose: () => {} }
  const found = new Map<string, CsvColumn>()
  for (const file of tablesIn(files)) {
    const { columns, roles, rows } = await tableOf(file, mapping, report)
    // A column without a better one for the title is that too, and is shown as such.
    const roleOf = new Map([...roles].map(([role, column]) => [column, role]))
    for (const column of columns) {
      const known = found.get(column)
      const sample = known?.sample || rows.find((row) => row.get(column))?.get(column) || ''
      const other = mapping[column] === 'ignore' ? 'ignore' : 'field'
      const role = known && known.role !== 'field' ? known.role : (roleOf.get(column) ?? other)
      found.set(column, { column, role, sample: short(sample) })
    }
  }
  return [...found.values()]
}
