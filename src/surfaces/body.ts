import { yieldForLargeWork } from '../kernel/event-loop.ts'
import { Fault } from '../kernel/fault.ts'

const MAX_BYTES = 6 * 1024 * 1024

/** The client closed the connection before it had sent the whole body. Nobody reads the answer. */
export class ClientDisconnected extends Error {}

/** Waits for bytes of the client. If the client has disconnected, a failure is no error of ours. */
export async function fromClient<T>({ signal }: Request, pending: Promise<T>): Promise<T> {
  try {
    return await pending
  } catch (cause) {
    if (signal.aborted)
      throw new ClientDisconnected('The client disconnected while sending the body', { cause })
    throw cause
  }
}

/** Parses the JSON body of a request, or throws a fault. */
export async function readJson(request: Request): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge()
  const bytes = await fromClient(request, request.arrayBuffer())
  if (bytes.byteLength > MAX_BYTES) throw tooLarge()
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
    await yieldForLargeWork(bytes.byteLength)
    const parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    await yieldForLargeWork(bytes.byteLength)
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
    'Send less per request; upload files as attachments',
  )
