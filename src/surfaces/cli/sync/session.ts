import type { ImportApi, Preview } from '../../../import/api.ts'
import type { FileFormat } from '../../../import/file-writer.ts'
import type { Source, SourceFile } from '../../../import/source.ts'
import type { ImportContext } from '../import/context.ts'
import type { SyncState } from './base-file.ts'
import type { BoardWriter } from './board-writer.ts'
import type { Side } from './merge.ts'

/** What the steps of a run share. */
export interface Session extends Pick<ImportContext, 'io' | 'values' | 'client' | 'catalog'> {
  api: ImportApi
  source: Source
  format: FileFormat
  folder: string
  files: readonly SourceFile[]
  state: SyncState
  statePath: string
  preview: Preview
  /** The numbers of the boards, by their ids in the files. */
  projects: Map<string, number>
  prefer: Side | undefined
  isDryRun: boolean
  writer: BoardWriter
  /** What could not be written, in words. */
  notes: string[]
}
