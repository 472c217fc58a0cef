import type { Caller } from '../kernel/caller.ts'
import { Fault, type FaultCode, isBroken, refusal } from '../kernel/fault.ts'
import { ANONYMOUS, type Doorkeeper, type Entry, type Tier } from './admission.ts'
import { Disconnected } from './body.ts'
import { networkOf } from './client-address.ts'
import type { Allowance } from './limits.ts'
import { callerAt } from './located.ts'
import { masked } from './masked.ts'
import { pathOf, readable } from './path.ts'

export type { Doorkeeper, Entry, Identity, Served, Tier } from './admission.ts'

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
  /** The address of the client. */
  address: string
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
    const peer = called.server?.requestIP(request)?.address ?? 'local'
    const { address, isHttps } = this.keeper.clientOf(request.headers, peer)
    const visit: Visit = { requestId: crypto.randomUUID(), address, headers: {}, cookies: [] }
    if (isHttps || this.keeper.url().startsWith('https:')) visit.headers[HSTS[0]] = HSTS[1]
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

  /** Counts a request that came in by an open entry; without a key it counts for its address. */
  async count(visit: Visit, tier: Tier, key?: string) {
    visit.allowance = await this.keeper.count(tier, key ?? networkOf(visit.address))
    if (visit.allowance?.exceeded) throw tooMany(visit.allowance)
  }

  private async admit(called: Knock, entry: Entry, visit: Visit) {
    if (entry === 'open') return
    const found = await this.keeper.identify(called.request, entry).catch(unlessBroken)
    const identity = found instanceof Fault ? undefined : found
    visit.caller = identity && callerAt(identity.caller, visit.address)
    visit.cookies = identity?.cookies ?? []
    // Bad credentials count too, else they could be guessed without end.
    if (identity) {
      await this.count(visit, identity.tier, identity.caller.credential)
      this.keeper.checkBody(called.request, identity.caller.credential)
    } else {
      // Bad credentials have the allowance of callers without any, wherever they are shown.
      const tier = found ? ANONYMOUS.bearer : ANONYMOUS[entry]
      const isPage = tier === 'page' || tier === 'sign-in'
      await this.count(visit, tier, isPage ? this.keeper.deviceOf(called.request) : undefined)
    }
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
  noteRetry(refused, visit)
  return stamped(fail(refused, visit), visit)
}

/** Puts into the headers when to come again, where the refusal says so. */
export function noteRetry({ details: { retry_after } }: Fault, { headers }: Visit) {
  if (retry_after !== undefined) headers['retry-after'] = String(retry_after)
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
    { retry_after: reset },
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

/** A year: browsers then ask for this host over HTTPS alone. */
const HSTS = ['strict-transport-security', 'max-age=31536000'] as const

/** A text is JSON already. */
export const json = (body: unknown, status = 200, headers: Head = {}) => {
  headers['content-type'] = 'application/json'
  headers['cache-control'] ??= 'no-store'
  headers['x-content-type-options'] = 'nosniff'
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
}

export const plainRefusal = (refused: Fault, { requestId }: Visit) =>
  json(refusal(refused, requestId), STATUS[refused.code])

function headersOf({ requestId, allowance, headers }: Visit, status: number | undefined): Head {
  headers['x-request-id'] = requestId
  headers['x-content-type-options'] = 'nosniff'
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
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (isJson && !response.headers.has('cache-control'))
    response.headers.set('cache-control', 'no-store')
  return response
}
