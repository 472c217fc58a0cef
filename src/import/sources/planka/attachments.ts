import type { Attachment, Person } from '../../record.ts'
import type { SourceFile } from '../../source.ts'
import { type Json, objectOf, stringOf } from '../shared/json.ts'
import { shorten } from '../shared/names.ts'
import { momentOf } from '../shared/times.ts'

/** The folder of the files that a download from the API adds. */
export const ATTACHMENTS = 'attachments/'

/** The address of a file or link; Planka 1 has it in another place. */
export const addressOf = ({ data, url }: Json): string =>
  stringOf(objectOf(data).url) || stringOf(url)

export const isLink = ({ type }: Json): boolean => type === 'link'

export function linksSection(attachments: readonly Json[]): string {
  const links = attachments.filter(isLink).map((attachment) => {
    const url = addressOf(attachment).replace(/[\s<>]/g, encodeURIComponent)
    const text = stringOf(attachment.name).replace(/\s+/g, ' ').trim() || url
    return `- [${text.replace(/[[\]\\]/g, '\\$&')}](<${url}>)`
  })
  return links.length ? ['## Links', '', ...links].join('\n') : ''
}

export const bytesById = (files: readonly SourceFile[]): Map<string, SourceFile> =>
  new Map(
    files
      .filter(({ path }) => path.startsWith(ATTACHMENTS))
      .map((file) => [file.path.slice(ATTACHMENTS.length), file]),
  )

export function readAttachment(
  task: string,
  attachment: Json,
  files: Map<string, SourceFile>,
  people: Map<string, Person>,
): Attachment | undefined {
  const id = stringOf(attachment.id)
  const url = addressOf(attachment)
  const file = files.get(id)
  if (!id || (!file && !/^https?:\/\/.{1,1990}$/.test(url))) return undefined
  const created_at = momentOf(attachment.createdAt)
  const author = people.get(stringOf(attachment.creatorUserId))?.id
  const type = stringOf(objectOf(attachment.data).mimeType)
  const name = stringOf(attachment.name) || url.split('/').at(-1) || 'file'
  return {
    id,
    task,
    filename: shorten(name, 255),
    ...(file ? { bytes: () => file.bytes() } : { url }),
    ...(type && type.length <= 255 && { content_type: type }),
    ...(author && { created_by: author }),
    ...(created_at && { created_at }),
  }
}
