import {
  cutOff,
  odd,
  silent,
  statusTrouble,
  tooSlow,
  type Unanswered,
  unreachable,
} from './trouble.ts'
import type { Endpoint, Limits } from './types.ts'

/** One request to the service of a model: whom it may ask, and how long that may take. */
export class Wire {
  /** Why it was given up, if it was. */
  why: Unanswered | undefined
  readonly #given = new AbortController()
  readonly #whole: ReturnType<typeof setTimeout>
  #next: ReturnType<typeof setTimeout> | undefined
  readonly signal: AbortSignal

  constructor(
    private readonly endpoint: Endpoint,
    private readonly limits: Limits,
    stop: AbortSignal,
  ) {
    this.signal = AbortSignal.any([stop, this.#given.signal])
    this.#whole = setTimeout(() => this.#giveUp(tooSlow(limits.step)), limits.step)
    this.#expect(limits.first)
  }

  end(): void {
    clearTimeout(this.#whole)
    clearTimeout(this.#next)
    this.#given.abort()
  }

  /** In the place of `fetch` of whoever speaks the protocol. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { href, origin } = new URL(input instanceof Request ? input.url : input)
    if (origin !== new URL(this.endpoint.base).origin) throw odd('it was about to ask elsewhere')
    // Bun gives up after five minutes by itself otherwise.
    const patient = { ...init, redirect: 'manual' as const, timeout: false }
    const response = await fetch(href, patient).catch((error: unknown) => {
      throw this.signal.aborted ? error : unreachable()
    })
    if (response.ok && isStream(response)) return new Response(this.#watched(response), response)
    throw await refusalIn(response, this.endpoint)
  }

  #expect(ms: number): void {
    clearTimeout(this.#next)
    if (this.#given.signal.aborted) return
    this.#next = setTimeout(() => this.#giveUp(silent(ms)), ms)
  }

  #giveUp(why: Unanswered): void {
    this.why ??= why
    this.#given.abort()
  }

  #watched({ body }: Response): ReadableStream<Uint8Array> | null {
    if (!body) return null
    const reader = body.getReader()
    return new ReadableStream({
      pull: async (to) => {
        try {
          const { done, value } = await reader.read()
          this.#expect(this.limits.idle)
          if (done) to.close()
          else to.enqueue(value)
        } catch {
          to.error(cutOff())
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
  }
}

/** Why an answer is none that can be used. */
export async function refusalIn(response: Response, { key }: Endpoint): Promise<Unanswered> {
  const { status, headers } = response
  if (status >= 300 && status < 400) return odd(`it sends elsewhere (${status})`)
  const said = await saidIn(response, key)
  if (!response.ok) return statusTrouble({ status, said, after: waitIn(headers) })
  const type = headers.get('content-type')?.split(';')[0] || 'nothing that is named'
  return odd(`it answers with ${type}, and no stream${said && `. It says: ${said}`}`)
}

/** Some services do not say what they send; a page or one JSON is none of it. */
const isStream = ({ headers }: Response) =>
  !/html|json/.test((headers.get('content-type') ?? '').replace('ndjson', ''))

const MOST_SAID = 300

/** The message of an error, in the forms that services have; never the key, which some repeat. */
async function saidIn(response: Response, key: string | undefined): Promise<string> {
  const text = await response.text().catch(() => '')
  const words = key ? wordsIn(text).replaceAll(key, '***') : wordsIn(text)
  return words.replace(/\s+/g, ' ').trim().slice(0, MOST_SAID)
}

function wordsIn(text: string): string {
  try {
    const { error, message, detail } = JSON.parse(text)
    const said = error?.message ?? error ?? message ?? detail
    return typeof said === 'string' ? said : ''
  } catch {
    return ''
  }
}

/** Milliseconds. */
function waitIn(headers: Headers): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN)
  const said = headers.get('retry-after')
  if (ms >= 0 || !said) return ms >= 0 ? ms : undefined
  const wait = /^[\d.]+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
