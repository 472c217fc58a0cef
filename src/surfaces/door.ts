import type { Caller } from '../kernel/caller.ts'
import { Fault, type FaultCode, refusal } from '../kernel/fault.ts'
import type { Allowance } from './limits.ts'

export const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  not_manager: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  lease_missing: 428,
  rate_limited: 429,
  internal: 500,
} as const satisfies Record<FaultCode, number>

/** What a surface needs to know of a request before it reads it. */
export interface Visit {
  requestId: string
  caller?: Caller
  allowance?: Allowance
  /** Becomes the response's status where it is not 200. */
  status?: number
  headers: Record<string, string>
}

export interface Knock {
  request: Request
  address: string
}

/** Ways in that differ in which credentials they take. */
export type Entry = 'bearer' | 'bearer or cookie' | 'anyone'

export interface Identity {
  caller: Caller
  tier: 'base' | 'agent' | 'web'
}

/** What the door asks of the rest of the house. */
export interface Doorkeeper {
  /** Resolves credentials; nothing when none were shown; a fault when they are no good. */
  identify(request: Request, entry: Entry): Promise<Identity | undefined>
  /** Counts the request against its tier's allowance. */
  count(address: string, identity: Identity | undefined): Allowance | undefined
  heard(event: Served): void
}

/** For the log and the metrics. */
export interface Served {
  requestId: string
  method: string
  path: string
  status: number
  ms: number
  who: string
  error?: unknown
}

/** What every HTTP request passes, whatever surface it is for. */
export class Door {
  constructor(private readonly keeper: Doorkeeper) {}

  async serve(
    { request, address }: Knock,
    entry: Entry,
    handle: (visit: Visit) => Promise<unknown>,
    fail: (refused: Fault, visit: Visit) => Response = plainRefusal,
  ): Promise<Response> {
    const began = performance.now()
    const visit: Visit = { requestId: crypto.randomUUID(), headers: {} }
    let failure: unknown
    let response: Response
    try {
      await this.admit(request, address, entry, visit)
      const body = await handle(visit)
      response = body instanceof Response ? body : json(body, visit.status ?? 200)
    } catch (error) {
      const refused = asFault(error)
      if (refused.code === 'internal') failure = error
      response = fail(refused, visit)
    }
    stamp(response, visit)
    this.keeper.heard({
      requestId: visit.requestId,
      method: request.method,
      path: pathOf(request.url),
      status: response.status,
      ms: performance.now() - began,
      who: visit.caller?.credential ?? 'nobody',
      error: failure,
    })
    return response
  }

  private async admit(request: Request, address: string, entry: Entry, visit: Visit) {
    const found = await this.keeper.identify(request, entry).catch(unlessBroken)
    const identity = found instanceof Fault ? undefined : found
    visit.caller = identity?.caller
    // Bad credentials count too, else they could be guessed without end.
    visit.allowance = this.keeper.count(address, identity)
    if (visit.allowance?.exceeded) throw tooMany(visit.allowance)
    if (found instanceof Fault) throw found
    if (!identity && entry !== 'anyone') throw stranger()
  }
}

/** A refusal is a value here; what broke stays an error. */
function unlessBroken(error: unknown): Fault {
  if (error instanceof Fault) return error
  throw error
}

const stranger = () =>
  new Fault(
    'unauthenticated',
    'This needs a credential',
    {},
    'Send "Authorization: Bearer <key>"; {url}/llms.txt says how to get one',
  )

const tooMany = ({ limit, reset }: Allowance) =>
  new Fault(
    'rate_limited',
    `More than ${limit} requests in a minute`,
    {},
    `Try again in ${reset} s`,
  )

const asFault = (error: unknown) =>
  error instanceof Fault
    ? error
    : new Fault(
        'internal',
        'Something went wrong here; it was logged',
        {},
        'Tell whoever runs this server the request_id',
      )

export const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

export const plainRefusal = (refused: Fault, { requestId }: Visit) =>
  json(refusal(refused, requestId), STATUS[refused.code])

function stamp({ headers, status }: Response, { requestId, allowance, headers: more }: Visit) {
  headers.set('x-request-id', requestId)
  if (status === 401) headers.set('www-authenticate', 'Bearer')
  for (const name in more) headers.set(name, more[name]!)
  if (!allowance) return
  headers.set('ratelimit-limit', String(allowance.limit))
  headers.set('ratelimit-remaining', String(allowance.remaining))
  headers.set('ratelimit-reset', String(allowance.reset))
  if (status === 429) headers.set('retry-after', String(allowance.reset))
}

/** Without the query, which may hold what somebody searched for. */
const pathOf = (url: string) => url.slice(url.indexOf('/', 8)).split('?')[0]!

const MOST_BYTES = 6 * 1024 * 1024

/** The JSON of a request, or a fault that says what is wrong with it. */
export async function readJson(request: Request): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BYTES) throw tooLarge()
  const bytes = await request.arrayBuffer()
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
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
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
