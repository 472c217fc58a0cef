import type { Warning } from '../../kernel/caller.ts'
import type { Details } from '../../kernel/fault.ts'
import type { PageInfo } from '../../kernel/list.ts'
import { CommandError } from './command.ts'
import type { CommandIO } from './io.ts'
import { type Account, accountOf, saveRenewed } from './logins.ts'
import { isExpiring, refreshLogin } from './oauth.ts'

/** The body of an error response. */
export interface Refusal {
  success: false
  error: string
  message: string
  details?: Details
  hint?: string
  request_id?: string
}

export class RefusedError extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
    text = [refusal.message, refusal.hint].filter(Boolean).join('. '),
  ) {
    super(text)
  }
}

/** There was no answer of Corkboard. Trying again may help. */
export class ConnectionError extends CommandError {
  constructor(
    message: string,
    /** The status of the answer, which came from something else; 0 without one. */
    readonly status: number = 0,
  ) {
    super(message)
  }
}

export interface ApiRequest {
  method: string
  path: string
  query?: URLSearchParams
  body?: unknown
}

export interface ApiAnswer {
  data: unknown
  page?: PageInfo
  warnings?: Warning[]
}

const TIMEOUT_MS = 120_000
const MAX_WAIT_S = 60
const MAX_TRIES = 3
/**
 * Methods that are retried after a lost connection. POST is safe because of its idempotency key.
 */
const REPEATABLE = ['GET', 'POST']

/** A REST client for one server, with the credential of the person who signed in there. */
export class Client {
  private account: Account

  constructor(
    private readonly io: CommandIO,
    account: Account = accountOf(io),
  ) {
    this.account = account
  }

  get url() {
    return this.account.url
  }

  async send(request: ApiRequest): Promise<ApiAnswer> {
    const key = request.method === 'POST' ? crypto.randomUUID() : undefined
    const response = await this.sendRespectingLimits(request, key)
    const body = parseBody(response, this.url)
    if (body.success) return body
    throw this.refusedError(response.status, body)
  }

  /** Sends a request once. The caller interprets the response, whatever its status. */
  async fetch(request: ApiRequest, headers: Record<string, string>, signal?: AbortSignal) {
    await this.renew()
    return this.io.fetch(this.request(request, headers, signal))
  }

  /** Opens a streaming response, which the caller reads. */
  async open(
    request: ApiRequest,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response> {
    const response = await this.fetch(request, headers, signal)
    if (response.ok) return response
    const body = parseBody(await readText(response), this.url)
    throw body.success ? notCorkboard(response, this.url) : this.refusedError(response.status, body)
  }

  private refusedError(status: number, refusal: Refusal): RefusedError {
    if (status !== 401) return new RefusedError(status, refusal)
    const { message } = refusal
    const words = `${this.url} does not accept this key: ${message}. Sign in again with "cork login"`
    return new RefusedError(status, refusal, words)
  }

  private async sendRespectingLimits(
    request: ApiRequest,
    key: string | undefined,
  ): Promise<TextResponse> {
    const response = await this.sendWithRetries(request, key)
    const wait = Number(response.headers.get('retry-after')) || 1
    const isWorthRetrying =
      response.status === 429 && request.method === 'GET' && wait <= MAX_WAIT_S
    if (!isWorthRetrying) return response
    this.io.err(`Too many requests; retrying in ${wait} s`)
    await this.io.sleep(wait * 1000)
    return this.sendWithRetries(request, key)
  }

  private async sendWithRetries(
    request: ApiRequest,
    key: string | undefined,
  ): Promise<TextResponse> {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    for (let attempt = 1; ; attempt++)
      try {
        await this.renew()
        const signal = AbortSignal.timeout(TIMEOUT_MS)
        return await readText(await this.io.fetch(this.request(request, headers, signal)))
      } catch (error) {
        const isLostConnection = connectionProblem(error) === 'lost'
        if (isLostConnection && attempt < MAX_TRIES && REPEATABLE.includes(request.method))
          await this.io.sleep(attempt * 500)
        else throw this.connectionError(error, request)
      }
  }

  /** Renews an access token that is about to expire. */
  private async renew(): Promise<void> {
    const { url, renewal } = this.account
    if (!renewal || !isExpiring(renewal)) return
    const login = await refreshLogin(url, renewal, this.io)
    if (!login)
      throw new CommandError(
        `Your sign-in to ${url} has expired or was revoked. Sign in again with "cork login ${url}"`,
      )
    const { token, refresh_token, expires_at } = login
    this.account = { url, token, renewal: { refresh_token, expires_at } }
    saveRenewed(this.io.env, url, login)
  }

  private request(
    { method, path, query, body }: ApiRequest,
    extraHeaders: object,
    signal?: AbortSignal,
  ): Request {
    const { url, token } = this.account
    if (!token) throw notSignedIn(url, this.io.env.CORK_AGENT)
    return new Request(`${url}${path}${query?.size ? `?${query}` : ''}`, {
      method,
      // Following a redirect could silently lose the method or the credential.
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...extraHeaders,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  }

  /** Whether an existing connection was lost, so that a retry may help. */
  isLost = (error: unknown) => connectionProblem(error) === 'lost'

  connectionError(error: unknown, { method }: ApiRequest): Error {
    if (error instanceof CommandError) return error
    const { url } = this
    const reason = (error as Error).message
    if (connectionProblem(error) === 'nobody')
      return new ConnectionError(
        `No server answers at ${url}. Start one with "cork serve", or set its address with "cork login" or CORK_URL`,
      )
    const warning =
      method === 'GET' ? '' : ' The change may have been made: check before you repeat it.'
    return new ConnectionError(`The connection to ${url} failed: ${reason}.${warning}`)
  }
}

const notSignedIn = (url: string, agent: string | undefined) =>
  new CommandError(
    agent
      ? `No token of the agent "${agent}" (CORK_AGENT) is saved for ${url}. Create the agent with "cork agents setup <client> --agent ${agent}", or save its token with "cork login ${url} --agent"`
      : `You are not signed in to ${url}. Sign in with "cork login", or set CORK_URL and CORK_TOKEN`,
  )

/** Classifies an error: no server answered, or the connection was lost. */
export function connectionProblem(error: unknown): 'nobody' | 'lost' | 'other' {
  const { code = '', name = '' } = error as { code?: string; name?: string }
  if (/^(ConnectionRefused|ECONNREFUSED|FailedToOpenSocket|ENOTFOUND|EAI_AGAIN)$/.test(code))
    return 'nobody'
  if (/^(ECONNRESET|ConnectionClosed|EPIPE|ETIMEDOUT|ConnectionTimeout)$/.test(code)) return 'lost'
  return name === 'TimeoutError' ? 'lost' : 'other'
}

type Body = ({ success: true } & ApiAnswer) | Refusal

interface TextResponse {
  status: number
  headers: Headers
  text: string
}

const readText = async (response: Response): Promise<TextResponse> => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
})

function parseBody({ status, headers, text }: TextResponse, url: string): Body {
  if (status >= 300 && status < 400)
    throw new CommandError(
      `${url} redirects to ${headers.get('location')}. Sign in there: cork login <address>`,
    )
  const body = envelope(text)
  if (!body) throw notCorkboard({ status }, url)
  return body
}

/** Parses the response of a Corkboard server. Undefined if it is no JSON or from another server. */
function envelope(text: string): Body | undefined {
  try {
    const body = JSON.parse(text)
    return typeof body?.success === 'boolean' ? body : undefined
  } catch {
    return undefined
  }
}

const notCorkboard = ({ status }: { status: number }, url: string) =>
  new ConnectionError(
    `${url} answered with status ${status}, but not like a Corkboard server. Check the address`,
    status,
  )
