import { ImportProblem } from '../../problem.ts'
import type { ApiOptions } from '../../source.ts'

const ATTEMPTS = 4
const MAX_WAIT_SECONDS = 60

export interface JsonApi {
  /** The name of the product. */
  product: string
  headers: Readonly<Record<string, string>>
  options: ApiOptions
}

/** Requests JSON. A busy server is asked again; other failures become problems with a remedy. */
export async function requestJson(api: JsonApi, url: string, init?: RequestInit): Promise<unknown> {
  const response = await request(api, url, init)
  try {
    return await response.json()
  } catch {
    throw new ImportProblem(
      `${new URL(url).origin} did not answer with JSON`,
      `Check that the address is that of a ${api.product} server`,
    )
  }
}

export async function request(api: JsonApi, url: string, init?: RequestInit): Promise<Response> {
  const { options } = api
  for (let attempt = 1; ; attempt++) {
    const response = await options
      .fetch(url, { ...init, headers: api.headers, signal: options.signal })
      .catch((error: unknown) => {
        if (options.signal.aborted) throw error
        throw new ImportProblem(
          `${new URL(url).origin} cannot be reached (${(error as Error).message})`,
          'Check the address and the network',
        )
      })
    if (response.ok) return response
    const isBusy = response.status === 429 || response.status >= 502
    if (!isBusy || attempt === ATTEMPTS) throw problemOf(api, url, response.status)
    await wait(secondsOf(response, attempt), options.signal)
  }
}

function secondsOf(response: Response, attempt: number): number {
  const header = response.headers.get('retry-after')
  const seconds = header === null ? Number.NaN : Number(header)
  return Math.min(MAX_WAIT_SECONDS, Number.isFinite(seconds) ? seconds : 2 ** attempt)
}

const wait = (seconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })

function problemOf({ product }: JsonApi, url: string, status: number): ImportProblem {
  const { origin, pathname } = new URL(url)
  if (status === 401 || status === 403)
    return new ImportProblem(
      `${product} refused the token`,
      'Create a new token with read access to the board, and use it',
    )
  if (status === 404)
    return new ImportProblem(
      `${product} has nothing at ${origin}${pathname}`,
      'Check the address, and that the owner of the token can open it',
    )
  return new ImportProblem(`${product} answered with status ${status}`, 'Try again later')
}
