import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type ApiRequest, type CallApi, FetchError } from '../../../../../kernel/services.ts'
import { HostError } from './error.ts'

const TIMEOUT_MS = 20_000
const MAX_BYTES = 8 * 1024 * 1024
/** Used if a host limits requests without saying until when. */
const DEFAULT_REST_MS = 60_000
const MAX_REST_MS = 60 * 60_000

interface HttpOptions {
  callApi: CallApi
  /** The address of the API, without a trailing slash. */
  api: string
  headers: Record<string, string>
}

interface Call {
  method?: ApiRequest['method']
  body?: unknown
}

/** JSON over HTTP, with the limits and errors that all hosts share. */
export class HostHttp {
  constructor(private readonly options: HttpOptions) {}

  /** Calls the API; the answer must match the schema. */
  async call<T extends TSchema>(path: string, schema: T, call: Call = {}): Promise<Static<T>> {
    const answer = await this.optional(path, schema, call)
    if (answer === undefined) throw new HostError('missing', `${path} does not exist`)
    return answer
  }

  /** The same; undefined if the host answers that it does not exist, or no longer. */
  async optional<T extends TSchema>(path: string, schema: T, call: Call = {}) {
    const text = await this.send(path, call)
    if (text === undefined) return undefined
    const json = parseJson(text)
    if (Value.Check(schema, json)) return json as Static<T>
    const field = Value.Errors(schema, json).First()?.path
    throw new HostError(
      'invalid',
      `The answer to ${path} is not as expected${field && ` (${field})`}`,
    )
  }

  /** Deletes something; it may be gone already. */
  async remove(path: string): Promise<void> {
    await this.send(path, { method: 'DELETE' })
  }

  private async send(path: string, { method = 'GET', body }: Call): Promise<string | undefined> {
    const { callApi, api, headers } = this.options
    const response = await callApi(`${api}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      bytes: MAX_BYTES,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error) => {
      if (!(error instanceof FetchError)) throw error
      throw new HostError('unreachable', error.message)
    })
    const { status, text } = response
    if (status >= 200 && status <= 299) return text
    const limited = restUntil(status, response.headers)
    if (limited) throw new HostError('limited', 'The host limits requests', limited)
    if (status === 404 || status === 410) return undefined
    throw errorFor(status, path, text)
  }
}

const parseJson = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    throw new HostError('invalid', 'The host answered with something other than JSON')
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

const numberIn = (headers: Headers, ...names: string[]): number | undefined => {
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string' && /^\d{1,12}$/.test(value)) return Number(value)
  }
  return undefined
}

/** When requests are allowed again, if the answer says that there were too many. */
function restUntil(status: number, headers: Headers): Date | undefined {
  const after = numberIn(headers, 'retry-after')
  const remaining = numberIn(headers, 'x-ratelimit-remaining', 'ratelimit-remaining')
  const isLimit = status === 429 || (status === 403 && (after !== undefined || remaining === 0))
  if (!isLimit) return undefined
  const reset = numberIn(headers, 'x-ratelimit-reset', 'ratelimit-reset')
  const now = Date.now()
  const wait =
    after !== undefined ? after * 1000 : reset !== undefined ? reset * 1000 - now : DEFAULT_REST_MS
  return new Date(now + Math.min(Math.max(wait, 1000), MAX_REST_MS))
}

const Message = t.Object({ message: t.String() })

function detailIn(text: string): string {
  try {
    const json: unknown = JSON.parse(text)
    return Value.Check(Message, json) ? `: ${json.message.slice(0, 200)}` : ''
  } catch {
    // An answer without JSON has no detail that would help.
    return ''
  }
}

function errorFor(status: number, path: string, text: string): HostError {
  if (status === 401) return new HostError('unauthorized', 'The host does not accept the token')
  const where = path.split('?')[0]
  if (status === 403)
    return new HostError('forbidden', `The token may not use ${where}${detailIn(text)}`)
  const kind = status >= 500 ? 'unreachable' : 'invalid'
  return new HostError(kind, `The host answered ${status} to ${where}${detailIn(text)}`)
}
