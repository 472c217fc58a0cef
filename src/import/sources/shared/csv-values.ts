import type { Csv, CsvRow } from '../../csv.ts'

/** The values of a row by the names of their columns, as the fields of a source are counted. */
export const valuesIn = ({ header }: Csv, row: CsvRow): Record<string, string | string[]> =>
  Object.fromEntries(
    [...new Set(header)].filter(Boolean).map((name) => {
      const values = row.all(name)
      return [name, values.length > 1 ? values : (values[0] ?? '')]
    }),
  )

/** The file name without folders and extension. */
export const stemOf = (path: string): string =>
  path
    .split('/')
    .at(-1)!
    .replace(/\.[^.]+$/, '')
