import type { Ask } from '../../kernel/caller.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { type Draft, Unfetched } from '../../kernel/outside.ts'
import { unwritten } from '../../store/trouble.ts'
import { nameIn, typeIn, typeOf } from './rules.ts'
import { type FileInput, MOST_BYTES, MOST_INLINE } from './schema.ts'

/** A file whose bytes are safe; no row refers to them yet. */
export interface Received {
  filename: string
  content_type: string
  size: number
  sha256: string
}

/** Enough for every format that can be told from its beginning. */
const HEAD = 64 * 1024
/** A connection on which nothing is said for thirty seconds is closed. */
const PATIENCE_MS = 25_000

/**
 * Reads what a call sends or names. Everything is there and small enough before the first of it is
 * kept; `field` is where the caller finds it in their input.
 */
export async function receiveFiles(
  ask: Ask,
  inputs: readonly FileInput[] | undefined,
  field = 'attachments',
): Promise<Received[]> {
  if (!inputs?.length) return []
  const inline = inlineBytes(inputs, field)
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const drafts: Draft[] = []
  try {
    for (const [at, input] of inputs.entries()) {
      const bytes = inline.get(input)
      const source = bytes ? once(bytes) : fetched(ask, `${field}.${at}.url`, input.url!, signal)
      drafts.push(await ask.server.files.draft(source))
      if (!drafts[at]!.size) throw empty(`${field}.${at}.${bytes ? 'data' : 'url'}`)
    }
    return await keep(drafts, inputs, field, (bytes) => ask.server.chargeFiles(ask.caller, bytes))
  } catch (error) {
    throw unkept(error)
  } finally {
    for (const draft of drafts) await draft.discard()
  }
}

interface Upload {
  filename: string
  content_type: string
  bytes: Blob
}

/** The same for bytes that came as such. */
export async function receiveUploads(
  { server, caller }: Pick<Ask, 'server' | 'caller'>,
  sent: readonly Upload[],
): Promise<Received[]> {
  const drafts: Draft[] = []
  try {
    for (const { bytes } of sent) drafts.push(await server.files.draft(bytes.stream()))
    return await keep(drafts, sent, 'file', (bytes) => server.chargeFiles(caller, bytes))
  } catch (error) {
    throw unkept(error)
  } finally {
    for (const draft of drafts) await draft.discard()
  }
}

async function keep(
  drafts: readonly Draft[],
  named: readonly Pick<FileInput, 'filename' | 'content_type'>[],
  field: string,
  charge: (bytes: number) => Promise<void>,
): Promise<Received[]> {
  const received: Received[] = []
  for (const [at, draft] of drafts.entries()) {
    const { filename, content_type } = named[at]!
    const type = await typeFor(draft, content_type, `${field}.${at}.content_type`)
    const { size, sha256 } = draft
    received.push({ filename: nameIn(filename), content_type: type, size, sha256 })
  }
  await charge(received.reduce((total, { size }) => total + size, 0))
  for (const draft of drafts) await draft.keep()
  return received
}

async function typeFor(draft: Draft, declared: string, field: string): Promise<string> {
  const type = typeIn(declared)
  if (!type)
    throw fault.invalid(
      field,
      'invalid_format',
      `${field} is no content type`,
      declared,
      'Write it like image/png; application/octet-stream where you do not know',
    )
  const head = await draft.head(HEAD)
  const { fileTypeFromBuffer } = await import('file-type')
  const sniffed = await fileTypeFromBuffer(head)
  return typeOf(type, sniffed?.mime, isText(head))
}

/** Cut off in the middle of a letter it is text all the same. */
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
  for (const [at, input] of inputs.entries()) {
    const { data, url } = input
    if ((data === undefined) === (url === undefined))
      throw fault.invalid(
        `${field}.${at}.${data === undefined ? 'data' : 'url'}`,
        data === undefined ? 'required' : 'conflict',
        `${field}.${at} needs exactly one of data and url`,
        undefined,
        'data holds the bytes in base64; url names where to fetch them',
      )
    if (data === undefined) continue
    const bytes = decoded(data, `${field}.${at}.data`)
    total += bytes.length
    if (total > MOST_INLINE) throw tooMuch(`${field}.${at}.data`, total)
    inline.set(input, bytes)
  }
  return inline
}

function decoded(data: string, field: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(data, { lastChunkHandling: 'strict' })
  } catch {
    throw fault.invalid(
      field,
      'invalid_format',
      `${field} is not base64`,
      undefined,
      'Only A-Z a-z 0-9 + / and = at the end; no "data:" before it, nothing cut off',
    )
  }
}

const tooMuch = (field: string, total: number) =>
  fault.invalid(
    field,
    'too_long',
    `The files of one call have at most ${MOST_INLINE} bytes in data; these have ${total} or more`,
    undefined,
    'Give larger ones by url, or upload them: POST /api/v1/tasks/{task}/attachments/upload',
  )

/** What a caller hears of a full disk or a bucket that is away; the log has the cause. */
function unkept(error: unknown): unknown {
  if (error instanceof Fault) return error
  const passing = unwritten(error, 'Files')
  if (passing instanceof Fault && passing.code === 'unavailable') return passing
  const refused = new Fault(
    'internal',
    'The files could not be stored; nothing was changed',
    {},
    'Try again in a while; if it stays so, tell whoever runs this server the request_id',
  )
  refused.cause = error
  return refused
}

const empty = (field: string) => fault.invalid(field, 'required', `${field} is an empty file`)

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function* fetched(ask: Ask, field: string, url: string, signal: AbortSignal) {
  try {
    yield* ask.server.fetch(url, { bytes: MOST_BYTES, signal })
  } catch (error) {
    if (!(error instanceof Unfetched)) throw error
    throw fault.invalid(field, error.code, `${field}: ${error.message}`, url, error.hint)
  }
}
