import { filesMissing } from '../features/files/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { FileStore } from '../kernel/outside.ts'
import { type Finding, ok, problem } from './finding.ts'

const SHOWN = 5

/** Whether the bytes of everything that is attached are where they should be, and whole. */
export async function checkFiles(tx: Tx, files: FileStore): Promise<Finding> {
  const check = 'attachments'
  const sizes = new Map<string, number>()
  try {
    for await (const { sha256, size } of files.all()) sizes.set(sha256, size)
  } catch (error) {
    return problem(
      check,
      `${files.place} cannot be read: ${(error as Error).message}`,
      'Correct the CORK_S3_… settings, or let the account that runs cork read the folder',
    )
  }
  const { missing, names, known } = await filesMissing(tx, sizes)
  if (!missing) return ok(check, `${known} files in ${files.place}`)
  return problem(
    check,
    `${missing} of ${known} files are not whole in ${files.place}, such as ${names.slice(0, SHOWN).join(', ')}`,
    'Restore a backup that has them; until then their downloads answer 404',
  )
}
