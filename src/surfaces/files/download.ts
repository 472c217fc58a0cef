import type { Dispatch } from '../../kernel/dispatch.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { FileStore } from '../../kernel/services.ts'
import type { IncomingRequest, RequestContext } from '../gateway.ts'
import { parseRange } from './range.ts'

/** How files of a content type are served. */
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

interface FileRecord {
  filename: string
  content_type: string
  size: number
  sha256: string
}

/** Sends a file that the caller may see: all of it, a range, or 304 if the client has it. */
export async function download(
  parts: Parts,
  context: RequestContext,
  { request, params }: IncomingRequest,
) {
  const attachment_id = parseId(params!.attachment_id!)
  const answer = await parts.dispatch(context.caller!, parts.get, { attachment_id })
  return send(parts, request, answer.data as FileRecord, `attachment ${attachment_id}`)
}

/** Sends the picture of a person or an agent. */
export async function downloadAvatar(
  parts: Pick<Parts, 'dispatch' | 'files' | 'rules'> & { picture: AnyOperation },
  context: RequestContext,
  { request, params }: IncomingRequest,
) {
  const { actor, version } = params as { actor: string; version: string }
  const answer = await parts.dispatch(context.caller!, parts.picture, { actor, version })
  return send(parts, request, answer.data as FileRecord, `the picture of ${actor}`)
}

async function send(
  parts: Pick<Parts, 'files' | 'rules'>,
  request: Request,
  file: FileRecord,
  name: string,
) {
  const headers = headersOf(parts.rules, file)
  if (isNotModified(request, headers.etag)) return new Response(null, { status: 304, headers })
  const range = parseRange(request.headers, file.size, headers.etag)
  if (range === 'beyond') {
    const rest = { ...headers, 'content-range': `bytes */${file.size}` }
    return new Response(null, { status: 416, headers: rest })
  }
  const [from, to] = range ?? [0, file.size]
  const responseHeaders = {
    ...headers,
    'content-type': parts.rules.servedAs(file.content_type),
    'content-length': String(to - from),
    ...(range && { 'content-range': `bytes ${from}-${to - 1}/${file.size}` }),
  }
  const status = range ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers: responseHeaders })
  const bytes = await parts.files.read(file.sha256, from, to)
  if (!bytes) throw bytesMissing(name, file)
  return new Response(bytes, { status, headers: responseHeaders })
}

function parseId(text: string): number {
  const id = Number(text)
  if (/^\d{1,10}$/.test(text) && id > 0 && id < 2 ** 31) return id
  throw fault.invalid('attachment_id', 'invalid_type', 'attachment_id must be a whole number', text)
}

/** Headers that keep browsers from treating any file as a page of this server. */
function headersOf(
  { isShown, disposition }: Rules,
  { filename, content_type, sha256 }: FileRecord,
) {
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

function isNotModified({ headers }: Request, etag: string): boolean {
  const tags = headers.get('if-none-match')?.split(',') ?? []
  return tags.some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, '')))
}

const bytesMissing = (name: string, { filename }: FileRecord) =>
  new Fault(
    'not_found',
    `The file of ${name} (${filename}) is missing on this server`,
    { code: 'not_found' },
    'Ask the server operator to run "cork doctor", which lists missing files',
  )
