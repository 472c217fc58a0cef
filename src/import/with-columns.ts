import type { Source } from './source.ts'

/** The reader of CSV files in which somebody said what some columns are. Others stay as they are. */
export async function withColumns(
  source: Source,
  columns: Source['columns'] = {},
): Promise<Source> {
  if (source.name !== 'csv' || !Object.keys(columns).length) return source
  const { csvWith } = await import('./sources/csv/index.ts')
  return csvWith(columns)
}
