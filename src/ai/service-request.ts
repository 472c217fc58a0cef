import {
  connectionLost,
  errorForStatus,
  idleTimeout,
  type ModelError,
  stepTimeout,
  unexpectedService,
  unreachable,
} from './errors.ts'
import type { Endpoint, Limits } from './types.ts'

/** One request to the service of a model; restricts its host and its time. */
export class ServiceRequest {
  /** Set if the request was ended by a time limit. */
  error: ModelError | undefined
  readonly #controller = new AbortController()
  readonly #stepTimer: ReturnType<typeof setTimeout>
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  readonly signal: AbortSignal

  constructor(
    private readonly endpoint: Endpoint,
    private readonly limits: Limits,
    abortSignal: AbortSignal,
  ) {
    this.signal = AbortSignal.any([abortSignal, this.#controller.signal])
    this.#stepTimer = setTimeout(() => this.#fail(stepTimeout(limits.step)), limits.step)
    this.#startIdleTimer(limits.first)
  }

  end(): void {
    clearTimeout(this.#stepTimer)
    clearTimeout(this.#idleTimer)
    this.#controller.abort()
  }

  /** Replaces `fetch` in the packages that implement the protocols. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { href, origin } = new URL(input instanceof Request ? input.url : input)
    if (origin !== new URL(this.endpoint.base).origin)
      throw unexpectedService('it redirects to another address')
    // Without `timeout: false`, Bun gives up after five minutes.
    const options = { ...init, redirect: 'manual' as const, timeout: false }
    const response = await fetch(href, options).catch((error: unknown) => {
      throw this.signal.aborted ? error : unreachable()
    })
    if (response.ok && isStream(response)) return new Response(this.#watchBody(response), response)
    throw await errorFrom(response, this.endpoint)
  }

  #startIdleTimer(ms: number): void {
    clearTimeout(this.#idleTimer)
    if (this.#controller.signal.aborted) return
    this.#idleTimer = setTimeout(() => this.#fail(idleTimeout(ms)), ms)
  }

  #fail(error: ModelError): void {
    this.error ??= error
    this.#controller.abort()
  }

  #watchBody({ body }: Response): ReadableStream<Uint8Array> | null {
    if (!body) return null
    const reader = body.getReader()
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read()
          this.#startIdleTimer(this.limits.idle)
          if (done) controller.close()
          else controller.enqueue(value)
        } catch {
          controller.error(connectionLost())
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
  }
}

/** The error for a response that cannot be used. */
export async function errorFrom(response: Response, { key }: Endpoint): Promise<ModelError> {
  const { status, headers } = response
  if (status >= 300 && status < 400)
    return unexpectedService(`it redirects to another address (${status})`)
  const message = await messageFrom(response, key)
  if (!response.ok) return errorForStatus({ status, message, retryAfterMs: retryAfterOf(headers) })
  const type = headers.get('content-type')?.split(';')[0] || 'no content type'
  return unexpectedService(
    `it responds with ${type} instead of a stream${message && `. It says: ${message}`}`,
  )
}

/** Some services send no content type; only HTML and plain JSON are certainly no stream. */
const isStream = ({ headers }: Response) =>
  !/html|json/.test((headers.get('content-type') ?? '').replace('ndjson', ''))

const MAX_MESSAGE_LENGTH = 300

/**
 * The error message in a response body, with the API key removed, because some services repeat it.
 */
async function messageFrom(response: Response, key: string | undefined): Promise<string> {
  const text = await response.text().catch(() => '')
  const words = key ? parseMessage(text).replaceAll(key, '***') : parseMessage(text)
  return words.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_LENGTH)
}

function parseMessage(text: string): string {
  try {
    const { error, message, detail } = JSON.parse(text)
    const found = error?.message ?? error ?? message ?? detail
    return typeof found === 'string' ? found : ''
  } catch {
    return ''
  }
}

/** Milliseconds. */
function retryAfterOf(headers: Headers): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN)
  const header = headers.get('retry-after')
  if (ms >= 0 || !header) return ms >= 0 ? ms : undefined
  const wait = /^[\d.]+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
