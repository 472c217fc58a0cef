import { findMissingFiles } from '../features/tasks/files/model/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { FileStore } from '../kernel/services.ts'
import { type Finding, ok, problem } from './finding.ts'

const MAX_NAMES = 5

/** Checks that the files of all attachments exist and have the right size. */
export async function checkFiles(tx: Tx, files: FileStore): Promise<Finding> {
  const check = 'attachments'
  const sizes = new Map<string, number>()
  try {
    for await (const { sha256, size } of files.list()) sizes.set(sha256, size)
  } catch (error) {
    return problem(
      check,
      `${files.location} cannot be read: ${(error as Error).message}`,
      'Correct the CORK_S3_… settings, or give the account that runs cork read access to the folder',
    )
  }
  const { missing, names, known } = await findMissingFiles(tx, sizes)
  if (!missing) return ok(check, `${known} files in ${files.location}`)
  return problem(
    check,
    `${missing} of ${known} files are missing or damaged in ${files.location}, such as ${names.slice(0, MAX_NAMES).join(', ')}`,
    'Restore a backup that has them; until then their downloads return 404',
  )
}
