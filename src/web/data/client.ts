import type { Client } from '../../catalog.ts'
import { rest, rested } from './rest.ts'
import { routes } from './routes.ts' with { type: 'macro' }
import { isAnother } from './who.ts'

export type Name = keyof Client
export type Input<N extends Name> = Parameters<Client[N]>[0]
export type Output<N extends Name> = Awaited<ReturnType<Client[N]>>

const ROUTES = routes()

/** The server understood and said no; its words are for people. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly hint?: string,
    readonly details: Record<string, unknown> = {},
    readonly requestId?: string,
  ) {
    super(message)
  }
}

/** Nobody answered: whether it was done is not known. */
export class Unanswered extends Error {
  constructor() {
    super('The server does not answer')
  }
}

interface Options {
  signal?: AbortSignal
  /** Sent again with the same key, a write is done once. */
  key?: string
  /** Asks although somebody else may have signed in: to see who that is. */
  asAnybody?: boolean
  /** Told what the server says beside its answer. */
  warned?(warnings: readonly { code: string; message: string }[]): void
}

/** Browsers make these by themselves only where the address is HTTPS or this machine. */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** Asks the server for one operation, by the name that every surface knows it by. */
export async function ask<N extends Name>(
  name: N,
  input: Input<N>,
  options: Options = {},
): Promise<Output<N>> {
  await rested(options.signal)
  if (isAnother() && !options.asAnybody) throw stranger()
  const response = await sent(requestOf(name, input as Fields, options))
  const body = await response.json().catch(() => undefined)
  if (response.status === 429 && rest(response.headers.get('retry-after')))
    return ask(name, input, options)
  // Something on the way answers for a server that is away or starts anew, or the answer was cut off.
  if (!body && (response.ok || GATEWAYS.has(response.status))) throw new Unanswered()
  if (!response.ok || !body?.success) throw refusalOf(response, body)
  if (body.warnings) options.warned?.(body.warnings)
  return (body.page ? { items: body.data, page: body.page } : body.data) as Output<N>
}

/** The answer to a request that is read while it comes. */
export async function streamed(request: Request): Promise<ReadableStream<Uint8Array>> {
  if (isAnother()) throw stranger()
  const response = await sent(request)
  if (response.ok && response.body) return response.body
  const body = await response.json().catch(() => undefined)
  if (!body && GATEWAYS.has(response.status)) throw new Unanswered()
  throw refusalOf(response, body)
}

const GATEWAYS = new Set([502, 503, 504])
type Fields = Record<string, unknown>

function requestOf(name: Name, input: Fields, { signal, key }: Options): Request {
  const [method, pattern] = ROUTES[name]!.split(' ') as [string, string]
  const rest = { ...input }
  const take = (field: string) => {
    const value = rest[field]
    delete rest[field]
    return encodeURIComponent(String(value))
  }
  const path = pattern.replace(/:(\w+)/g, (_, field) =>
    take(field === 'task' ? ADDRESSES.find((one) => one in rest)! : field),
  )
  const reads = method === 'GET' || method === 'DELETE'
  const headers: Record<string, string> = { accept: 'application/json' }
  if (!reads) headers['content-type'] = 'application/json'
  if (key) headers['idempotency-key'] = key
  return new Request(reads ? path + queryOf(rest) : path, {
    ...{ method, headers, signal },
    ...(!reads && { body: JSON.stringify(rest) }),
  })
}

const ADDRESSES = ['ticket_number', 'task_identifier', 'task_id']

function queryOf(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) if (one !== undefined) query.append(name, spelled(one))
  const text = query.toString()
  return text && `?${text}`
}

const spelled = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

async function sent(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    throw new Unanswered()
  }
}

function refusalOf({ status }: Response, body: Fields | undefined): Refused {
  const { message, hint, details, request_id } = (body ?? {}) as {
    message?: string
    hint?: string
    details?: Fields
    request_id?: string
  }
  if (status === 401) onSignedOut()
  return new Refused(
    status,
    message ?? `The server answered ${status} and did not say why`,
    hint,
    details,
    request_id,
  )
}

/** Nothing of this page is sent in the name of somebody else. */
function stranger(): Refused {
  onSignedOut()
  return new Refused(401, 'Somebody else has signed in with this browser')
}

let onSignedOut = () => {}

/** Called when the session is over; what was typed must still be there after signing in. */
export const whenSignedOut = (heard: () => void) => {
  onSignedOut = heard
}

/** Said to whoever lost their place in a team. */
const LACKS = /lacks the scope/
/** Tools and routes, which nobody finds in the app. */
const FOR_AGENTS = /\bsvc_|\b(GET|POST|PUT|PATCH|DELETE) \//

/** What went wrong, and what to do next where that can be done in the app. */
export const toldOf = ({ message, hint }: { message: string; hint?: string | undefined }) =>
  [message, hint && !FOR_AGENTS.test(hint) && hint].filter(Boolean).join('. ')

/** What to tell somebody of an error, and what to do next; of a fault of the server, which it was. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Refused)) return error instanceof Error ? error.message : String(error)
  const { status, message, requestId } = error
  if (LACKS.test(message)) return 'You may not do that here any more'
  const words = toldOf(error)
  return status >= 500 && requestId ? `${words}: ${requestId}` : words
}
