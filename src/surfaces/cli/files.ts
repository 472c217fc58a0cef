import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { Failed, type Flag, WrongUsage } from './command.ts'

/** What one call carries; more goes up as a form. */
const MOST_INLINE = 3_145_728

/** Whether a field is a list of files, which a person names by their paths. */
export const takesFiles = ({ items }: TSchema): boolean => items?.file === true

export const FILE_FLAG: Flag = {
  type: 'string',
  hint: 'PATH',
  repeat: true,
  about: 'A file of this machine, or an http address; once for each',
}

/** Files as an operation takes them: what is here goes along, what is elsewhere is fetched there. */
export function filesIn(said: string, paths: readonly string[]): object[] {
  let total = 0
  return paths.map((path) => {
    const { type } = Bun.file(path.replace(/[?#].*/, ''))
    if (/^https?:\/\//i.test(path)) {
      const filename = basename(URL.parse(path)?.pathname ?? '') || 'file'
      return { filename, content_type: type, url: path }
    }
    const bytes = contentOf(said, path)
    total += bytes.length
    if (total > MOST_INLINE)
      throw new Failed(
        `The files have more than ${MOST_INLINE} bytes together. Attach them one by one; one that is larger goes up with: curl -F file=@${path} -H "Authorization: Bearer $CORK_TOKEN" $CORK_URL/api/v1/tasks/<task>/attachments/upload`,
      )
    return { filename: basename(path), content_type: type, data: bytes.toString('base64') }
  })
}

function contentOf(said: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new WrongUsage(`${said}: ${path} cannot be read: ${(error as Error).message}`)
  }
}
