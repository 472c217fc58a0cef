import {
  type FileRecord,
  storeBytes,
  verifiedBytes,
} from '../../features/tasks/files/model/index.ts'
import type { FileStore } from '../../kernel/services.ts'
import { readFile } from '../lines.ts'

/** Stores the files of a team that `checkFile` has accepted, before any of its rows is written. */
export async function importFiles(path: string, files: FileStore): Promise<void> {
  for await (const { line } of readFile(path)) {
    const bytes = line.file ? verifiedBytes(line.file as FileRecord) : undefined
    if (bytes instanceof Uint8Array) await storeBytes(files, bytes)
  }
}
