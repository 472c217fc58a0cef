import { ImportProblem } from '../../problem.ts'
import type { ApiOptions } from '../../source.ts'
import { type Json, objectOf } from './json.ts'

const MAX_TRIES = 5
const FIRST_DELAY = 200
const MAX_WAIT = 60 * 60 * 1000

export interface ApiAnswer {
  body: unknown
  headers: Headers
}

export interface ApiProduct {
  title: string
  /** The variable with the token, and what it has to allow. */
  token: string
  headers: Record<string, string>
}

/** Requests JSON from an API: waits for rate limits, and repeats what fails for a moment. */
export class ApiClient {
  constructor(
    private readonly options: ApiOptions,
    private readonly product: ApiProduct,
  ) {}

  get(url: string): Promise<ApiAnswer> {
    return this.request(url, {})
  }

  async getJson(url: string): Promise<Json> {
    return objectOf((await this.get(url)).body)
  }

  /** What is at an address, or undefined if the server does not have it. */
  async find(url: string): Promise<ApiAnswer | undefined> {
    const response = await this.send(url, {}, [404, 405])
    return response.ok ? this.answerOf(response) : undefined
  }

  /** A file. An address that it redirects to does not get the token. */
  async bytes(url: string): Promise<Uint8Array> {
    const response = await this.send(url, { redirect: 'manual' }, [301, 302, 303, 307, 308])
    const location = response.headers.get('location')
    if (response.ok || !location) return new Uint8Array(await response.arrayBuffer())
    const { fetch, signal } = this.options
    const file = await fetch(new URL(location, url).href, { signal })
    if (!file.ok) throw await this.problemOf(file, url)
    return new Uint8Array(await file.arrayBuffer())
  }

  /** Sends JSON, or a form. */
  post(url: string, content: object): Promise<ApiAnswer> {
    const body = content instanceof URLSearchParams ? content : JSON.stringify(content)
    return this.request(url, { method: 'POST', body })
  }

  /** The pages of a list, by the `Link` header. */
  async *pages(url: string): AsyncGenerator<unknown> {
    for (let next: string | undefined = url; next; ) {
      const { body, headers }: ApiAnswer = await this.get(next)
      yield body
      const following = nextLink(headers)
      if (following && new URL(following).origin !== new URL(url).origin)
        throw new ImportProblem(
          `${this.product.title} sends the next page to another server`,
          `Check the address ${url}`,
        )
      next = following
    }
  }

  private async request(url: string, init: RequestInit): Promise<ApiAnswer> {
    return this.answerOf(await this.send(url, init))
  }

  private async send(
    url: string,
    init: RequestInit,
    accepted: readonly number[] = [],
  ): Promise<Response> {
    const { signal, fetch } = this.options
    const headers = {
      ...(typeof init.body === 'string' && { 'content-type': 'application/json' }),
      ...this.product.headers,
    }
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      const response = await fetch(url, { ...init, headers, signal }).catch((error: Error) => {
        signal.throwIfAborted()
        return error
      })
      if (!(response instanceof Error) && (response.ok || accepted.includes(response.status)))
        return response
      const delay = delayOf(response, tries)
      if (delay === undefined || tries === MAX_TRIES) throw await this.problemOf(response, url)
      if (delay > 10_000)
        this.options.onProgress(`Waiting ${Math.ceil(delay / 1000)} s for the rate limit`)
      await sleep(delay, signal)
    }
  }

  private async answerOf(response: Response): Promise<ApiAnswer> {
    try {
      return { body: await response.json(), headers: response.headers }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw new ImportProblem(
        `${this.product.title} does not answer with JSON`,
        'Check the address; it may lead to a page for signing in',
      )
    }
  }

  private async problemOf(response: Response | Error, url: string): Promise<ImportProblem> {
    const { title, token } = this.product
    if (response instanceof Error)
      return new ImportProblem(`${title} cannot be reached (${response.message})`, `Check ${url}`)
    const { status } = response
    if (status === 401)
      return new ImportProblem(`${title} refuses the token`, `Set ${token}`, { field: url })
    if (status === 404)
      return new ImportProblem(
        `${title} does not find ${url}`,
        `Check the address. If it is private, set ${token}`,
      )
    if (status === 403) return new ImportProblem(`${title} denies access to ${url}`, `Set ${token}`)
    const text = (await response.text()).slice(0, 300)
    const answer = `${title} answers ${url} with status ${status}`
    return new ImportProblem(text ? `${answer}: ${text}` : answer, 'Try again later')
  }
}

/** The token, or a problem that says how to get one. */
export function requireToken({ token }: ApiOptions, title: string, remedy: string): string {
  if (token) return token
  throw new ImportProblem(`${title} needs a token`, remedy)
}

/** The value of the header `authorization` for a user name and password. */
export const basicAuthorization = (credentials: string): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(credentials)))}`

/** How long to wait before the next try; undefined if another one is pointless. */
function delayOf(response: Response | Error, tries: number): number | undefined {
  const backoff = FIRST_DELAY * 2 ** (tries - 1)
  if (response instanceof Error) return backoff
  const { status, headers } = response
  if (status >= 500) return backoff
  const reset = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset')
  const isOver =
    status === 429 ||
    (status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'))
  if (!isOver) return
  const after = headers.get('retry-after')
  const wait = after ? Number(after) * 1000 : reset ? Number(reset) * 1000 - Date.now() : backoff
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), MAX_WAIT) : backoff
}

function nextLink(headers: Headers): string | undefined {
  const parts = headers.get('link')?.split(/,\s*(?=<)/) ?? []
  return parts.find((part) => /rel="?next"?/.test(part))?.match(/<([^>]+)>/)?.[1]
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}
