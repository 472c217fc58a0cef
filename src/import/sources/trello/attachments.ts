import type { Attachment, Person } from '../../record.ts'
import type { Report, SourceFile } from '../../source.ts'
import { counted } from '../shared/counted.ts'
import { type Json, objectsOf, sortedBy, stringOf } from '../shared/json.ts'
import { shorten } from '../shared/names.ts'
import { momentOf } from '../shared/times.ts'
import type { CardLinks } from './card-links.ts'

/** What the files that a card holds become. */
export interface CardAttachments {
  files: Json[]
  /** A section of the description. */
  links: string
  /** Cards that are attached to the card. */
  related: string[]
}

export function attachmentsOf(card: Json, links: CardLinks): CardAttachments {
  const result: CardAttachments = { files: [], links: '', related: [] }
  const lines: string[] = []
  for (const attachment of sortedBy(objectsOf(card.attachments), 'pos')) {
    const url = stringOf(attachment.url)
    const related = links.find(url)
    if (related !== undefined) result.related.push(related)
    else if (isFile(attachment, url)) result.files.push(attachment)
    else if (url) lines.push(linkLine(stringOf(attachment.name), url))
  }
  const source = stringOf(card.urlSource)
  if (source && !links.find(source)) lines.push(linkLine(stringOf(card.urlSourceText), source))
  if (lines.length) result.links = ['## Links', '', ...lines].join('\n')
  return result
}

/** Old exports do not say which attachments are files. */
const isFile = ({ isUpload }: Json, url: string): boolean =>
  typeof isUpload === 'boolean' ? isUpload : /^https?:\/\/trello-attachments\./.test(url)

function linkLine(name: string, url: string): string {
  const target = url.replace(/[\s<>]/g, encodeURIComponent)
  const text = name.replace(/\s+/g, ' ').trim()
  return !text || text === url
    ? `- <${target}>`
    : `- [${text.replace(/[[\]\\]/g, '\\$&')}](<${target}>)`
}

/** The folder of the files that a download from the API adds. */
export const ATTACHMENTS = 'attachments/'

/** Files at these addresses need the key and token of a member. */
const PRIVATE = /^https:\/\/(api\.)?trello\.com\//

export class AttachmentReader {
  private readonly bytes: Map<string, SourceFile>
  private readonly seen = new Set<string>()
  private remote = 0

  constructor(
    files: readonly SourceFile[],
    private readonly people: Map<string, Person>,
  ) {
    this.bytes = new Map(
      files
        .filter(({ path }) => path.startsWith(ATTACHMENTS))
        .map((file) => [file.path.slice(ATTACHMENTS.length), file]),
    )
  }

  read(task: string, attachment: Json): Attachment | undefined {
    const id = stringOf(attachment.id)
    const url = stringOf(attachment.url)
    const file = this.bytes.get(id)
    if (!id || this.seen.has(id) || (!file && !/^https?:\/\/.{1,1990}$/.test(url))) return undefined
    this.seen.add(id)
    if (!file && PRIVATE.test(url)) this.remote++
    const created_at = momentOf(attachment.date)
    const type = stringOf(attachment.mimeType)
    const author = this.people.get(stringOf(attachment.idMember))?.id
    return {
      id,
      task,
      filename: shorten(fileName(attachment, url), 255),
      ...(file ? { bytes: () => file.bytes() } : { url }),
      ...(type && type.length <= 255 && { content_type: type }),
      ...(author && { created_by: author }),
      ...(created_at && { created_at }),
    }
  }

  reportRemote(report: Report): void {
    if (!this.remote) return
    report.lose(
      counted(this.remote, 'attachment'),
      'Trello gives private files only with a key and token; import from the address of the board',
    )
  }
}

function fileName({ fileName, name }: Json, url: string): string {
  const last = url.split(/[?#]/)[0]!.split('/').at(-1)!
  return (stringOf(fileName) || stringOf(name) || last).replace(/\s+/g, ' ').trim() || 'file'
}
