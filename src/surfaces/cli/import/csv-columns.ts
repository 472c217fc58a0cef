import type { Source } from '../../../import/source.ts'
import { UsageError, type Values } from '../command.ts'

/** The reader of CSV files in which `--columns` says what some columns are. */
export async function withColumns(source: Source, { columns }: Values): Promise<Source> {
  if (columns === undefined) return source
  if (source.name !== 'csv')
    throw new UsageError(`--columns is for CSV files, not for ${source.title}; add --from csv`)
  const [{ csvWith }, { ROLES }] = await Promise.all([
    import('../../../import/sources/csv/index.ts'),
    import('../../../import/sources/csv/roles.ts'),
  ])
  const meanings = [...ROLES, 'field', 'ignore']
  const entries = columns.split(',').map((entry) => {
    const [, column, meaning] = /^(.+)=\s*(\w+)\s*$/.exec(entry) ?? []
    if (column && meaning && meanings.includes(meaning)) return [column.trim(), meaning]
    throw new UsageError(
      `--columns takes pairs such as Owner=assignees,Notes=ignore, not "${entry}". A column can be ${meanings.join(', ')}`,
    )
  })
  return csvWith(Object.fromEntries(entries))
}
