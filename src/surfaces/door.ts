import type { Caller } from '../kernel/caller.ts'
import { Fault, type FaultCode, isBroken, refusal } from '../kernel/fault.ts'
import { Disconnected } from './body.ts'
import type { Allowance, Counted } from './limits.ts'
import { masked } from './masked.ts'
import { pathOf, readable } from './path.ts'

export const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  not_manager: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  ambiguous: 409,
  too_large: 413,
  unsupported_type: 415,
  lease_missing: 428,
  rate_limited: 429,
  unavailable: 503,
  no_model: 503,
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
  /** Each becomes a Set-Cookie header. */
  cookies: readonly string[]
}

/** What Elysia hands to a route, as far as it is used here. */
export interface Called {
  request: Request
  /** The pattern of the address, without what stands in it for this once. */
  route: string
  params?: Record<string, string>
  server: {
    requestIP(request: Request): { address: string } | null
    timeout(request: Request, seconds: number): void
  } | null
}

type Knock = Pick<Called, 'request' | 'route' | 'server'>

/** Where a request comes from. */
export const addressOf = (at: Knock) => at.server?.requestIP(at.request)?.address ?? 'local'

/**
 * Ways in that differ in which credentials they take. A page is for people: it takes a session or
 * nothing, and nobody may send it a form from elsewhere.
 */
export type Entry = 'bearer' | 'bearer or cookie' | 'page' | 'anyone'

export interface Identity {
  caller: Caller
  tier: 'base' | 'agent' | 'web'
  /** A session's cookies when its secret was just changed. */
  cookies?: readonly string[]
}

/** What the door asks of the rest of the house. */
export interface Doorkeeper {
  /** The public base address. */
  url(): string
  /** Resolves credentials; nothing when none were shown; a fault when they are no good. */
  identify(request: Request, entry: Entry): Promise<Identity | undefined>
  /** Counts the request against its tier's allowance. */
  count(identity: Identity | undefined, address: () => string): Counted
  heard(event: Served): void
  /** What a surface answered as internal although the response itself is no failure. */
  broke(requestId: string, error: unknown): void
}

/** For the log and the metrics. */
export interface Served {
  requestId: string
  method: string
  path: string
  route: string
  status: number
  ms: number
  who: string
  error?: unknown
}

/** What every HTTP request passes, whatever surface it is for. */
export class Door {
  private readonly ending = new AbortController()

  constructor(private readonly keeper: Doorkeeper) {}

  /** The process is about to end: whoever is answered now comes back to another one. */
  get closing(): boolean {
    return this.ending.signal.aborted
  }

  /** Whoever waits for something to happen is answered at once. */
  close() {
    this.ending.abort()
  }

  /** Lets a request take its time, until its client leaves or the process is about to end. */
  wait({ request, server }: Pick<Called, 'request' | 'server'>): AbortSignal {
    server?.timeout(request, 0)
    return AbortSignal.any([request.signal, this.ending.signal])
  }

  async serve(
    called: Knock,
    entry: Entry,
    handle: (visit: Visit) => Promise<unknown>,
    fail: (refused: Fault, visit: Visit) => Response = plainRefusal,
  ): Promise<Response> {
    const began = performance.now()
    const { request, route } = called
    const visit: Visit = { requestId: crypto.randomUUID(), headers: {}, cookies: [] }
    let failure: unknown
    let response: Response
    try {
      await this.admit(called, entry, visit)
      readable(request.url)
      const body = await handle(visit)
      response =
        body instanceof Response
          ? stamped(body, visit)
          : json(body, visit.status, headersOf(visit, visit.status))
    } catch (error) {
      const refused = asFault(error)
      if (isBroken(refused) && !(error instanceof Disconnected)) failure = error
      response = refusalOf(error, refused, visit, fail)
    }
    for (const cookie of visit.cookies) response.headers.append('set-cookie', cookie)
    if (this.closing) response.headers.set('connection', 'close')
    this.keeper.heard({
      requestId: visit.requestId,
      method: request.method,
      get path() {
        return masked(pathOf(request.url), route)
      },
      route,
      status: response.status,
      ms: performance.now() - began,
      who: visit.caller?.credential ?? 'nobody',
      error: failure,
    })
    return response
  }

  broke(visit: Visit, error: unknown) {
    this.keeper.broke(visit.requestId, error)
  }

  private async admit(called: Knock, entry: Entry, visit: Visit) {
    const found = await this.keeper.identify(called.request, entry).catch(unlessBroken)
    const identity = found instanceof Fault ? undefined : found
    visit.caller = identity?.caller
    visit.cookies = identity?.cookies ?? []
    // Bad credentials count too, else they could be guessed without end.
    visit.allowance = await this.keeper.count(identity, () => addressOf(called))
    if (visit.allowance?.exceeded) throw tooMany(visit.allowance)
    if (found instanceof Fault) throw found
    if (!identity && entry.startsWith('bearer')) throw stranger(this.keeper.url())
  }
}

/** Not registered, but what proxies log for a client that left. */
const CLIENT_CLOSED = 499

function refusalOf(
  error: unknown,
  refused: Fault,
  visit: Visit,
  fail: (refused: Fault, visit: Visit) => Response,
): Response {
  if (error instanceof Disconnected) return new Response(null, { status: CLIENT_CLOSED })
  const { retry_after } = refused.details
  if (retry_after !== undefined) visit.headers['retry-after'] = String(retry_after)
  return stamped(fail(refused, visit), visit)
}

/** A refusal is a value here; what broke stays an error. */
function unlessBroken(error: unknown): Fault {
  if (error instanceof Fault) return error
  throw error
}

const stranger = (url: string) =>
  new Fault(
    'unauthenticated',
    'This needs a credential',
    {},
    `Send "Authorization: Bearer <key>"; ${url}/llms.txt says how to get one`,
  )

const tooMany = ({ limit, reset }: Allowance) =>
  new Fault(
    'rate_limited',
    `More than ${limit} requests in a minute`,
    {},
    `Try again in ${reset} s`,
  )

export const asFault = (error: unknown) =>
  error instanceof Fault
    ? error
    : new Fault(
        'internal',
        'Something went wrong here; it was logged',
        {},
        'Tell whoever runs this server the request_id',
      )

type Head = Record<string, string>

/** A text is JSON already. */
export const json = (body: unknown, status = 200, headers: Head = {}) => {
  headers['content-type'] = 'application/json'
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
}

export const plainRefusal = (refused: Fault, { requestId }: Visit) =>
  json(refusal(refused, requestId), STATUS[refused.code])

function headersOf({ requestId, allowance, headers }: Visit, status: number | undefined): Head {
  headers['x-request-id'] = requestId
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (!allowance) return headers
  headers['ratelimit-limit'] = String(allowance.limit)
  headers['ratelimit-remaining'] = String(allowance.remaining)
  headers['ratelimit-reset'] = String(allowance.reset)
  // An operation may have a limit of its own, and said when to come again.
  if (status === 429) headers['retry-after'] ??= String(allowance.reset)
  return headers
}

function stamped(response: Response, visit: Visit): Response {
  const headers = headersOf(visit, response.status)
  for (const name in headers) response.headers.set(name, headers[name]!)
  return response
}
