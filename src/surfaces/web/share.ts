import { fromClient } from '../body.ts'

/** Where systems send what another app shares. */
export const SHARE_PATH = '/share'
export const SHARED_FILES = 'share_files'

/** The texts come first in the form. What follows is read, so that the browser gets the answer. */
const MAX_BYTES = 64 * 1024
/** A title has at most this length. */
const MAX_TEXT = 500
/** The header of a file. A form without a chosen file has one without a name. */
const FILE_PART = new RegExp(`; name="${SHARED_FILES}"; filename="[^"]`)

/**
 * Redirects to the field for a new task, with the shared texts. This is reached only in a browser
 * without the service worker, which alone can keep the files: the page says that they are missing.
 */
export async function receiveShare(request: Request): Promise<Response> {
  const { start, isCut } = await fromClient(request, readStart(request))
  const query = new URLSearchParams()
  for (const [name, value] of await fieldsOf(request, start, isCut))
    if (typeof value === 'string' && value && /^share_(title|text|url)$/.test(name))
      query.set(name, value.slice(0, MAX_TEXT).toWellFormed())
  if (FILE_PART.test(start.toString('latin1'))) query.set(SHARED_FILES, '1')
  const location = query.size ? `/my?${query}` : '/my?add'
  const headers = { location, 'cache-control': 'no-store' }
  return new Response(null, { status: 303, headers })
}

async function readStart({ body }: Request) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    if (size < MAX_BYTES) chunks.push(chunk)
    size += chunk.length
  }
  return { start: Buffer.concat(chunks).subarray(0, MAX_BYTES), isCut: size > MAX_BYTES }
}

/** Parses a form. If its end was cut off, the incomplete last field is dropped. */
async function fieldsOf({ headers }: Request, start: Buffer, isCut: boolean): Promise<FormData> {
  const type = headers.get('content-type') ?? ''
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1] ?? ''
  const end = start.lastIndexOf(`\r\n--${boundary}`)
  const body = isCut
    ? Buffer.concat([start.subarray(0, end), Buffer.from(`\r\n--${boundary}--\r\n`)])
    : start
  const form = new Response(new Uint8Array(body), { headers: { 'content-type': type } })
  return form.formData().catch(() => new FormData()) as Promise<FormData>
}
