import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { CommandError, type Flag, UsageError } from './command.ts'

/** The largest total size of files in one JSON call. More has to be uploaded as a form. */
const MAX_INLINE_BYTES = 3_145_728

/** Whether a field is a list of files, given by their paths. */
export const takesFiles = ({ items }: TSchema): boolean => items?.file === true

export const FILE_FLAG: Flag = {
  type: 'string',
  hint: 'PATH',
  repeat: true,
  about: 'A local file or an http address; repeat for more files',
}

/** Files as input of an operation: local ones with their bytes, others by URL for the server. */
export function filesIn(label: string, paths: readonly string[]): object[] {
  let total = 0
  return paths.map((path) => {
    const { type } = Bun.file(path.replace(/[?#].*/, ''))
    if (/^https?:\/\//i.test(path)) {
      const filename = basename(URL.parse(path)?.pathname ?? '') || 'file'
      return { filename, content_type: type, url: path }
    }
    const bytes = readBytes(label, path)
    total += bytes.length
    if (total > MAX_INLINE_BYTES)
      throw new CommandError(
        `The files are larger than ${MAX_INLINE_BYTES} bytes in total. Attach them one by one; upload a larger file with: curl -F file=@${path} -H "Authorization: Bearer $CORK_TOKEN" $CORK_URL/api/v1/tasks/<task>/attachments/upload`,
      )
    return { filename: basename(path), content_type: type, data: bytes.toString('base64') }
  })
}

function readBytes(label: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UsageError(`${label}: ${path} cannot be read: ${(error as Error).message}`)
  }
}
