import { readFile } from 'node:fs/promises'
import type { Preview } from '../../../import/api.ts'
import { earlierColumns, parseColumns } from '../../../import/mapping-file.ts'
import type { Source } from '../../../import/source.ts'
import { withColumns } from '../../../import/with-columns.ts'
import { CommandError, UsageError, type Values } from '../command.ts'

/** The reader of CSV files in which `--columns` or `--mapping` says what some columns are. */
export async function withNamedColumns(source: Source, values: Values): Promise<Source> {
  const { columns, mapping } = values
  if (columns === undefined && mapping === undefined) return source
  if (columns === undefined) return withColumns(source, await columnsOfFile(mapping!))
  if (source.name !== 'csv')
    throw new UsageError(`--columns is for CSV files, not for ${source.title}; add --from csv`)
  const { COLUMN_ROLES } = await import('../../../import/sources/csv/roles.ts')
  const meanings: readonly string[] = COLUMN_ROLES
  const entries = columns.split(',').map((entry) => {
    const [, column, meaning] = /^(.+)=\s*(\w+)\s*$/.exec(entry) ?? []
    if (column && meaning && meanings.includes(meaning)) return [column.trim(), meaning]
    throw new UsageError(
      `--columns takes pairs such as Owner=assignees,Notes=ignore, not "${entry}". A column can be ${meanings.join(', ')}`,
    )
  })
  return withColumns(source, Object.fromEntries(entries))
}

async function columnsOfFile(path: string) {
  return parseColumns(await mappingText(path), path)
}

/** The text of the file of `--mapping`. */
export const mappingText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}`)
  })

/** The reader with the columns of the last import, unless some are named for this one. */
export const withEarlierColumns = (source: Source, preview: Preview): Promise<Source> =>
  source.columns && Object.keys(source.columns).length
    ? Promise.resolve(source)
    : withColumns(source, earlierColumns(preview))
