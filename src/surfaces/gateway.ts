import type { Caller, KnownPosition } from '../kernel/caller.ts'
import { errorBody, Fault, type FaultCode, fault, needsAttention } from '../kernel/fault.ts'
import { ANONYMOUS, type Authenticator, type AuthMode, type Tier } from './authenticator.ts'
import { ClientDisconnected } from './body.ts'
import { callerWithAddress } from './caller-address.ts'
import { setChallenge } from './challenge.ts'
import { networkOf } from './client-address.ts'
import { inLanguage, localFault } from './language.ts'
import { maskPath } from './mask-path.ts'
import { markRequest } from './own-page.ts'
import { checkEncoding, pathOf } from './path.ts'
import type { Allowance } from './rate-limits.ts'

export type { Authenticator, AuthMode, Identity, ServedRequest, Tier } from './authenticator.ts'

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

/** What the gateway tells a surface about a request, and what the surface sets for the response. */
export interface RequestContext {
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

/** The part of Elysia's handler argument that the surfaces use. */
export interface IncomingRequest {
  request: Request
  /** The pattern of the route, with parameter names instead of values. */
  route: string
  params?: Record<string, string>
  server: {
    requestIP(request: Request): { address: string } | null
    timeout(request: Request, seconds: number): void
  } | null
}

type RoutedRequest = Pick<IncomingRequest, 'request' | 'route' | 'server'> & {
  /** The limit that requests with a credential count against, instead of that of the credential. */
  tier?: Tier
}

/** Every HTTP request passes here: it is identified, counted, answered and logged. */
export class Gateway {
  private readonly closeController = new AbortController()

  constructor(private readonly auth: Authenticator) {}

  /** Whether the server is shutting down. Responses then close their connection. */
  get isClosing(): boolean {
    return this.closeController.signal.aborted
  }

  /** Begins the shutdown: long-running requests are answered at once. */
  close() {
    this.closeController.abort()
  }

  /** Removes the timeout of a request. The signal aborts if the client leaves or at shutdown. */
  longRequestSignal({ request, server }: Pick<IncomingRequest, 'request' | 'server'>): AbortSignal {
    server?.timeout(request, 0)
    return AbortSignal.any([request.signal, this.closeController.signal])
  }

  async serve(
    incoming: RoutedRequest,
    authMode: AuthMode,
    handler: (context: RequestContext) => Promise<unknown>,
    renderFault: (fault: Fault, context: RequestContext) => Response = jsonRefusal,
  ): Promise<Response> {
    const startedAt = performance.now()
    const { request, route } = incoming
    const peer = incoming.server?.requestIP(request)?.address ?? 'local'
    const { address, isHttps } = this.auth.clientOf(request.headers, peer)
    const requestId = crypto.randomUUID()
    const context: RequestContext = { requestId, address, headers: {}, cookies: [] }
    if (isHttps || this.auth.url().startsWith('https:')) context.headers[HSTS[0]] = HSTS[1]
    let failure: unknown
    let response: Response
    try {
      await this.authenticate(incoming, authMode, context)
      checkEncoding(request.url)
      const body = await inLanguageOf(incoming.request, authMode, context, () => handler(context))
      response =
        body instanceof Response
          ? withHeaders(body, context)
          : json(body, context.status, headersOf(context, context.status))
    } catch (error) {
      const fault = asFault(error)
      if (needsAttention(fault) && !(error instanceof ClientDisconnected)) failure = error
      this.challenge(request, fault, context)
      response = await inLanguageOf(request, authMode, context, async () =>
        faultResponse(error, localFault(fault), context, renderFault),
      )
    }
    markRequest(request, response)
    for (const cookie of context.cookies) response.headers.append('set-cookie', cookie)
    if (this.isClosing) response.headers.set('connection', 'close')
    this.auth.onServed({
      requestId: context.requestId,
      method: request.method,
      get path() {
        return maskPath(pathOf(request.url), route)
      },
      route,
      status: response.status,
      ms: performance.now() - startedAt,
      who: context.caller?.credential ?? 'nobody',
      error: failure,
    })
    return response
  }

  private challenge({ url, headers }: Request, fault: Fault, context: RequestContext) {
    const resource = this.auth.resourceAt(pathOf(url))
    const hasToken = headers.has('authorization')
    setChallenge(context, { url: this.auth.url(), resource, hasToken, fault })
  }

  reportFailure(context: RequestContext, error: unknown) {
    this.auth.onFailure(context.requestId, error)
  }

  /** Counts a request of an open route. Without a key it counts for its network address. */
  async count(context: RequestContext, tier: Tier, key?: string) {
    context.allowance = await this.auth.count(tier, key ?? networkOf(context.address))
    if (context.allowance?.exceeded) throw rateLimited(context.allowance)
  }

  private async authenticate(incoming: RoutedRequest, authMode: AuthMode, context: RequestContext) {
    if (authMode === 'open') return
    const result = await this.auth.identify(incoming.request, authMode).catch(faultOrThrow)
    const identity = result instanceof Fault ? undefined : result
    context.caller =
      identity && callerWithAddress(identity.caller, context.address, incoming.request)
    context.cookies = identity?.cookies ?? []
    // Requests with invalid credentials count too. Otherwise guessing would be unlimited.
    if (identity) {
      await this.count(context, incoming.tier ?? identity.tier, identity.caller.credential)
      this.auth.checkBody(incoming.request, identity.caller.credential)
    } else {
      // Invalid credentials count in the tier of anonymous bearer requests on every route.
      const tier = result ? ANONYMOUS.bearer : ANONYMOUS[authMode]
      const isPage = tier === 'page' || tier === 'sign-in'
      await this.count(context, tier, isPage ? this.auth.deviceOf(incoming.request) : undefined)
    }
    if (result instanceof Fault) throw result
    if (context.caller && this.auth.hasReplicas())
      context.caller = { ...context.caller, position: positionIn(incoming.request) }
    if (!identity && authMode.startsWith('bearer')) throw missingCredential(this.auth.url())
  }
}

/** People read pages, and the errors of a browser session. Programs get English. */
function inLanguageOf<T>(
  request: Request,
  authMode: AuthMode,
  { caller }: RequestContext,
  run: () => Promise<T>,
): Promise<T> {
  const isForPerson = authMode === 'page' || authMode === 'sign-in' || authMode === 'anyone'
  const isSession = caller?.credential.startsWith('session:')
  return isForPerson || isSession ? inLanguage(request, caller, run) : run()
}

const POSITION_HEADER = 'cork-position'

/** The state of the database that the client has seen and its reads must not fall behind. */
function positionIn({ headers }: Request): KnownPosition {
  const value = headers.get(POSITION_HEADER) ?? undefined
  if (value === undefined || /^[0-9a-f]{24}$/.test(value)) return { value }
  throw fault.invalid(
    'Cork-Position',
    'invalid_format',
    'Cork-Position must be the header of an earlier response, or the position of an event',
    value,
    'Send no Cork-Position to read the newest data',
  )
}

/** Not a registered status, but the one that proxies log for a client that disconnected. */
const CLIENT_CLOSED = 499

function faultResponse(
  error: unknown,
  fault: Fault,
  context: RequestContext,
  renderFault: (fault: Fault, context: RequestContext) => Response,
): Response {
  if (error instanceof ClientDisconnected) return new Response(null, { status: CLIENT_CLOSED })
  setRetryAfter(fault, context)
  return withHeaders(renderFault(fault, context), context)
}

/** Sets the Retry-After header if the fault has a `retry_after`. */
export function setRetryAfter({ details: { retry_after } }: Fault, { headers }: RequestContext) {
  if (retry_after !== undefined) headers['retry-after'] = String(retry_after)
}

/** Returns faults as values and rethrows all other errors. */
function faultOrThrow(error: unknown): Fault {
  if (error instanceof Fault) return error
  throw error
}

const missingCredential = (url: string) =>
  new Fault(
    'unauthenticated',
    'This request needs a credential',
    {},
    `Send "Authorization: Bearer <key>"; ${url}/llms.txt explains how to get one`,
  )

const rateLimited = ({ limit, reset }: Allowance) =>
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
        'Something went wrong on the server; it was logged',
        {},
        'Report the request_id to the server operator',
      )

type HeaderRecord = Record<string, string>

/** For a year, browsers connect to this host over HTTPS only. */
const HSTS = ['strict-transport-security', 'max-age=31536000'] as const

/** A JSON response. A string body is sent as it is, because it already is JSON. */
export const json = (body: unknown, status = 200, headers: HeaderRecord = {}) => {
  headers['content-type'] = 'application/json'
  headers['cache-control'] ??= 'no-store'
  headers['x-content-type-options'] = 'nosniff'
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
}

export const jsonRefusal = (fault: Fault, { requestId }: RequestContext) =>
  json(errorBody(fault, requestId), STATUS[fault.code])

function headersOf(
  { requestId, allowance, headers, caller }: RequestContext,
  status: number | undefined,
): HeaderRecord {
  headers['x-request-id'] = requestId
  if (caller?.position?.value) headers[POSITION_HEADER] = caller.position.value
  headers['x-content-type-options'] = 'nosniff'
  if (status === 401) headers['www-authenticate'] ??= 'Bearer'
  if (!allowance) return headers
  headers['ratelimit-limit'] = String(allowance.limit)
  headers['ratelimit-remaining'] = String(allowance.remaining)
  headers['ratelimit-reset'] = String(allowance.reset)
  // An operation with its own limit may have set the header already.
  if (status === 429) headers['retry-after'] ??= String(allowance.reset)
  return headers
}

function withHeaders(response: Response, context: RequestContext): Response {
  const headers = headersOf(context, response.status)
  for (const name in headers) response.headers.set(name, headers[name]!)
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (isJson && !response.headers.has('cache-control'))
    response.headers.set('cache-control', 'no-store')
  return response
}
