import { Fault } from '../kernel/fault.ts'
import { turnFor } from '../kernel/turns.ts'

const MOST_BYTES = 6 * 1024 * 1024

/** The client closed its connection before it had sent the whole body, so nobody gets an answer. */
export class Disconnected extends Error {}

/** Waits for bytes of the client. A failure after it has left is its leaving, not a fault here. */
export async function fromClient<T>({ signal }: Request, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (cause) {
    if (signal.aborted) throw new Disconnected('The client left in the middle of a body', { cause })
    throw cause
  }
}

/** The JSON of a request, or a fault that says what is wrong with it. */
export async function readJson(request: Request): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BYTES) throw tooLarge()
  const bytes = await fromClient(request, request.arrayBuffer())
  if (bytes.byteLength > MOST_BYTES) throw tooLarge()
  if (!bytes.byteLength) return undefined
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/(json|[\w.-]+\+json)\b/i.test(type))
    throw new Fault(
      'unsupported_type',
      `The body must be JSON, not ${type || 'untyped'}`,
      {},
      'Send Content-Type: application/json',
    )
  try {
    await turnFor(bytes.byteLength)
    const parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    await turnFor(bytes.byteLength)
    return parsed
  } catch (error) {
    throw new Fault(
      'invalid',
      `The body is not valid JSON: ${(error as Error).message}`,
      { code: 'invalid_format' },
      'Check quotes, commas and braces',
    )
  }
}

const tooLarge = () =>
  new Fault(
    'too_large',
    'The body is larger than 6 MB',
    {},
    'Send less at once; files go in as attachments',
  )
