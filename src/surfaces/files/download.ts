import type { Dispatch } from '../../kernel/dispatch.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { FileStore } from '../../kernel/outside.ts'
import type { Called, Visit } from '../door.ts'
import { rangeIn } from './range.ts'

/** What of a file a browser is told, and how. */
export interface Rules {
  isShown(content_type: string): boolean
  servedAs(content_type: string): string
  disposition(kind: 'inline' | 'attachment', filename: string): string
}

interface Parts {
  dispatch: Dispatch
  files: FileStore
  get: AnyOperation
  rules: Rules
}

interface Told {
  attachment_id: number
  filename: string
  content_type: string
  size: number
  sha256: string
}

/** The bytes of a file that the caller may see: all of them, a part, or none where they are known. */
export async function download(parts: Parts, visit: Visit, { request, params }: Called) {
  const attachment_id = idIn(params!.attachment_id!)
  const answer = await parts.dispatch(visit.caller!, parts.get, { attachment_id })
  const file = answer.data as Told
  const headers = headersOf(parts.rules, file)
  if (isKnown(request, headers.etag)) return new Response(null, { status: 304, headers })
  const range = rangeIn(request.headers, file.size, headers.etag)
  if (range === 'beyond') {
    const rest = { ...headers, 'content-range': `bytes */${file.size}` }
    return new Response(null, { status: 416, headers: rest })
  }
  const [from, to] = range ?? [0, file.size]
  const about = {
    ...headers,
    'content-type': parts.rules.servedAs(file.content_type),
    'content-length': String(to - from),
    ...(range && { 'content-range': `bytes ${from}-${to - 1}/${file.size}` }),
  }
  const status = range ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers: about })
  const bytes = await parts.files.read(file.sha256, from, to)
  if (!bytes) throw gone(file)
  return new Response(bytes, { status, headers: about })
}

function idIn(text: string): number {
  const id = Number(text)
  if (/^\d{1,10}$/.test(text) && id > 0 && id < 2 ** 31) return id
  throw fault.invalid('attachment_id', 'invalid_type', 'attachment_id must be a whole number', text)
}

/** Whatever the bytes are, no browser takes them for a page of this server. */
function headersOf({ isShown, disposition }: Rules, { filename, content_type, sha256 }: Told) {
  return {
    etag: `"${sha256}"`,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=31536000, immutable',
    'content-disposition': disposition(isShown(content_type) ? 'inline' : 'attachment', filename),
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    vary: 'Authorization, Cookie',
  }
}

function isKnown({ headers }: Request, etag: string): boolean {
  const known = headers.get('if-none-match')?.split(',') ?? []
  return known.some((one) => [etag, '*'].includes(one.trim().replace(/^W\//, '')))
}

const gone = ({ attachment_id, filename }: Told) =>
  new Fault(
    'not_found',
    `The bytes of attachment ${attachment_id} (${filename}) are gone from this server`,
    { field: 'attachment_id', code: 'not_found', value: attachment_id },
    'Tell whoever runs this server: "cork doctor" lists what is missing',
  )
