import { fault } from '../../../../kernel/fault.ts'

/** The kinds of evidence. This file reads neither clock nor database. */
export const KINDS = ['link', 'file', 'test_result', 'note'] as const
export type EvidenceKind = (typeof KINDS)[number]

interface Given {
  kind: EvidenceKind
  url?: string
  attachment_id?: number
}

/** A link needs a url and a file an attachment; the other kinds may have one of the two. */
export function checkKind({ kind, url, attachment_id }: Given): void {
  if (kind === 'link' && url === undefined)
    throw fault.invalid('url', 'required', 'Evidence of the kind link needs a url')
  if (kind === 'file' && attachment_id === undefined)
    throw fault.invalid(
      'attachment_id',
      'required',
      'Evidence of the kind file needs an attachment_id',
      undefined,
      'Attach the file first: POST /api/v1/tasks/{task}/attachments',
    )
  if (url !== undefined && attachment_id !== undefined)
    throw fault.invalid(
      'attachment_id',
      'conflict',
      'Evidence has either a url or an attachment_id, not both',
      attachment_id,
    )
}

/** The normalised url; undefined if a browser should not open it. */
export function addressOf(given: string): string | undefined {
  const text = given.trim()
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.username || url.password || url.href.length > 2000 ? undefined : url.href
}
