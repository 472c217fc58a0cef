import type { Warning } from '../../kernel/caller.ts'
import type { Details } from '../../kernel/fault.ts'
import type { PageInfo } from '../../kernel/list.ts'
import { Failed } from './command.ts'
import { type Account, accountOf } from './logins.ts'
import type { Outside } from './outside.ts'

/** The body of a refusal, as REST sends it. */
export interface Refusal {
  success: false
  error: string
  message: string
  details?: Details
  hint?: string
  request_id?: string
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
    words = [refusal.message, refusal.hint].filter(Boolean).join('. '),
  ) {
    super(words)
  }
}

export interface Ask {
  method: string
  path: string
  query?: URLSearchParams
  body?: unknown
}

export interface Answer {
  data: unknown
  page?: PageInfo
  warnings?: Warning[]
}

const PATIENCE_MS = 120_000
const LONGEST_WAIT_S = 60
const TRIES = 3
/** Asked again after a lost connection: reading changes nothing, and a key keeps what is made one. */
const REPEATABLE = ['GET', 'POST']

/** Talks REST to one server in the name of whoever signed in there. */
export class Client {
  private readonly account: Account

  constructor(
    private readonly outside: Outside,
    account: Account = accountOf(outside),
  ) {
    this.account = account
  }

  get url() {
    return this.account.url
  }

  async send(ask: Ask): Promise<Answer> {
    const key = ask.method === 'POST' ? crypto.randomUUID() : undefined
    const response = await this.patiently(ask, key)
    const body = understood(response, this.url)
    if (body.success) return body
    throw this.refused(response.status, body)
  }

  /** An answer that goes on; the caller reads it. */
  async open(ask: Ask, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    const response = await this.outside.fetch(this.request(ask, headers, signal))
    if (response.ok) return response
    const body = understood(await heard(response), this.url)
    throw body.success ? strange(response, this.url) : this.refused(response.status, body)
  }

  private refused(status: number, refusal: Refusal): Refused {
    if (status !== 401) return new Refused(status, refusal)
    const { message } = refusal
    const words = `${this.url} does not accept this key: ${message}. Sign in again with "cork login"`
    return new Refused(status, refusal, words)
  }

  private async patiently(ask: Ask, key: string | undefined): Promise<Heard> {
    const response = await this.tried(ask, key)
    const wait = Number(response.headers.get('retry-after')) || 1
    const worth = response.status === 429 && ask.method === 'GET' && wait <= LONGEST_WAIT_S
    if (!worth) return response
    this.outside.err(`Too many requests; trying again in ${wait} s`)
    await this.outside.sleep(wait * 1000)
    return this.tried(ask, key)
  }

  private async tried(ask: Ask, key: string | undefined): Promise<Heard> {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    for (let turn = 1; ; turn++)
      try {
        const signal = AbortSignal.timeout(PATIENCE_MS)
        return await heard(await this.outside.fetch(this.request(ask, headers, signal)))
      } catch (error) {
        const lost = trouble(error) === 'lost'
        if (lost && turn < TRIES && REPEATABLE.includes(ask.method))
          await this.outside.sleep(turn * 500)
        else throw this.unanswered(error, ask)
      }
  }

  private request({ method, path, query, body }: Ask, more: object, signal?: AbortSignal): Request {
    const { url, token } = this.account
    if (!token)
      throw new Failed(
        `You are not signed in at ${url}. Sign in with "cork login", or set CORK_URL and CORK_TOKEN`,
      )
    return new Request(`${url}${path}${query?.size ? `?${query}` : ''}`, {
      method,
      // Followed, a redirect would lose the method or the credential without a word.
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  }

  /** Whether somebody was there and went away, so that asking again may help. */
  isLost = (error: unknown) => trouble(error) === 'lost'

  unanswered(error: unknown, { method }: Ask): Error {
    if (error instanceof Failed) return error
    const { url } = this
    const words = (error as Error).message
    if (trouble(error) === 'nobody')
      return new Failed(
        `No server answers at ${url}. Start one with "cork serve", or say where it is with "cork login" or CORK_URL`,
      )
    const doubt =
      method === 'GET' ? '' : ' It may have been done all the same: look before you repeat it.'
    return new Failed(`The connection to ${url} failed: ${words}.${doubt}`)
  }
}

/** Whether nobody was there, or somebody was and then went away. */
function trouble(error: unknown): 'nobody' | 'lost' | 'other' {
  const { code = '', name = '' } = error as { code?: string; name?: string }
  if (/^(ConnectionRefused|ECONNREFUSED|FailedToOpenSocket|ENOTFOUND|EAI_AGAIN)$/.test(code))
    return 'nobody'
  if (/^(ECONNRESET|ConnectionClosed|EPIPE|ETIMEDOUT|ConnectionTimeout)$/.test(code)) return 'lost'
  return name === 'TimeoutError' ? 'lost' : 'other'
}

type Body = ({ success: true } & Answer) | Refusal

interface Heard {
  status: number
  headers: Headers
  text: string
}

const heard = async (response: Response): Promise<Heard> => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
})

function understood({ status, headers, text }: Heard, url: string): Body {
  if (status >= 300 && status < 400)
    throw new Failed(
      `${url} sends on to ${headers.get('location')}. Sign in there: cork login <address>`,
    )
  const body = envelope(text)
  if (!body) throw strange({ status }, url)
  return body
}

/** What a server of ours answers; nothing where it is another's, or no JSON. */
function envelope(text: string): Body | undefined {
  try {
    const body = JSON.parse(text)
    return typeof body?.success === 'boolean' ? body : undefined
  } catch {
    return undefined
  }
}

const strange = ({ status }: { status: number }, url: string) =>
  new Failed(
    `${url} answered with status ${status}, but not as Corkboard does. Is it the right address?`,
  )
