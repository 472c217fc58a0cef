import type { RequestContext } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { FetchError, type FileDraft } from '../../../../kernel/services.ts'
import { writeError } from '../../../../store/errors.ts'
import { detectContentType, parseContentType, sanitizeFilename } from './rules.ts'
import { type FileInput, MAX_FILE_BYTES, MAX_INLINE_BYTES } from './schema.ts'

/** A file whose bytes are stored, but which no row refers to yet. */
export interface ReceivedFile {
  filename: string
  content_type: string
  size: number
  sha256: string
}

/** Number of bytes read to detect the format. */
const HEAD_BYTES = 64 * 1024
/** Less than the 30 seconds after which an idle connection of the client is closed. */
const FETCH_TIMEOUT_MS = 25_000

/**
 * Reads the files that a call sends inline or by URL. All of them are read and checked before the
 * first one is stored. `field` is their field in the input.
 */
export async function receiveFiles(
  request: RequestContext,
  inputs: readonly FileInput[] | undefined,
  field = 'attachments',
): Promise<ReceivedFile[]> {
  if (!inputs?.length) return []
  const inline = inlineBytes(inputs, field)
  const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS)
  const drafts: FileDraft[] = []
  try {
    for (const [index, input] of inputs.entries()) {
      const bytes = inline.get(input)
      const source = bytes
        ? singleChunk(bytes)
        : fetchUrl(request, `${field}.${index}.url`, input.url!, signal)
      drafts.push(await request.server.files.draft(source))
      if (!drafts[index]!.size) throw emptyFile(`${field}.${index}.${bytes ? 'data' : 'url'}`)
    }
    return await saveDrafts(drafts, inputs, field, (bytes) =>
      request.server.chargeFiles(request.caller, bytes),
    )
  } catch (error) {
    throw storageFault(error)
  } finally {
    for (const draft of drafts) await draft.discard()
  }
}

interface Upload {
  filename: string
  content_type: string
  bytes: Blob
}

/** The same for files uploaded as form data. */
export async function receiveUploads(
  { server, caller }: Pick<RequestContext, 'server' | 'caller'>,
  uploads: readonly Upload[],
): Promise<ReceivedFile[]> {
  const drafts: FileDraft[] = []
  try {
    for (const { bytes } of uploads) drafts.push(await server.files.draft(bytes.stream()))
    return await saveDrafts(drafts, uploads, 'file', (bytes) => server.chargeFiles(caller, bytes))
  } catch (error) {
    throw storageFault(error)
  } finally {
    for (const draft of drafts) await draft.discard()
  }
}

async function saveDrafts(
  drafts: readonly FileDraft[],
  declared: readonly Pick<FileInput, 'filename' | 'content_type'>[],
  field: string,
  charge: (bytes: number) => Promise<void>,
): Promise<ReceivedFile[]> {
  const received: ReceivedFile[] = []
  for (const [index, draft] of drafts.entries()) {
    const { filename, content_type } = declared[index]!
    const type = await typeFor(draft, content_type, `${field}.${index}.content_type`)
    const { size, sha256 } = draft
    received.push({ filename: sanitizeFilename(filename), content_type: type, size, sha256 })
  }
  await charge(received.reduce((total, { size }) => total + size, 0))
  for (const draft of drafts) await draft.save()
  return received
}

async function typeFor(draft: FileDraft, declared: string, field: string): Promise<string> {
  const type = parseContentType(declared)
  if (!type)
    throw fault.invalid(
      field,
      'invalid_format',
      `${field} is not a content type`,
      declared,
      'For example image/png, or application/octet-stream if you do not know it',
    )
  const head = await draft.head(HEAD_BYTES)
  const { fileTypeFromBuffer } = await import('file-type')
  const sniffed = await fileTypeFromBuffer(head)
  return detectContentType(type, sniffed?.mime, isText(head))
}

/** With `stream`, a character cut off at the end is no error. */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

function inlineBytes(inputs: readonly FileInput[], field: string) {
  const inline = new Map<FileInput, Uint8Array>()
  let total = 0
  for (const [index, input] of inputs.entries()) {
    const { data, text } = input
    checkSource(input, `${field}.${index}`)
    const name = `${field}.${index}.${text === undefined ? 'data' : 'text'}`
    const bytes = text === undefined ? data && decodeBase64(data, name) : Buffer.from(text)
    if (!bytes) continue
    total += bytes.length
    if (total > MAX_INLINE_BYTES) throw tooMuch(name, total)
    inline.set(input, bytes)
  }
  return inline
}

function checkSource({ data, url, text }: FileInput, field: string): void {
  const [first, second] = Object.entries({ data, url, text }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  )
  if (first && !second) return
  throw fault.invalid(
    `${field}.${second ?? 'data'}`,
    first ? 'conflict' : 'required',
    `${field} needs exactly one of data, url and text`,
    undefined,
    'data is the file in base64, url is where to fetch it, text is a plain text',
  )
}

function decodeBase64(data: string, field: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(data, { lastChunkHandling: 'strict' })
  } catch {
    throw fault.invalid(
      field,
      'invalid_format',
      `${field} is not base64`,
      undefined,
      'Use only A-Z a-z 0-9 + / and = at the end, without a "data:" prefix, and send all of it',
    )
  }
}

const tooMuch = (field: string, total: number) =>
  fault.invalid(
    field,
    'too_long',
    `The files of one call can have at most ${MAX_INLINE_BYTES} bytes in data and text; these have ${total} or more`,
    undefined,
    'Send larger files by url, or upload them: POST /api/v1/tasks/{task}/attachments/upload',
  )

/** The fault for a full disk or an unreachable bucket. Only the log contains the cause. */
function storageFault(error: unknown): unknown {
  if (error instanceof Fault) return error
  const outage = writeError(error, 'Files')
  if (outage instanceof Fault && outage.code === 'unavailable') return outage
  const failure = new Fault(
    'internal',
    'The files could not be stored; nothing was changed',
    {},
    'Try again later; if it keeps failing, give the request_id to the server operator',
  )
  failure.cause = error
  return failure
}

const emptyFile = (field: string) => fault.invalid(field, 'required', `${field} is an empty file`)

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function* fetchUrl(request: RequestContext, field: string, url: string, signal: AbortSignal) {
  try {
    yield* request.server.fetch(url, { bytes: MAX_FILE_BYTES, signal })
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    throw fault.invalid(field, error.code, `${field}: ${error.message}`, url, error.hint)
  }
}
