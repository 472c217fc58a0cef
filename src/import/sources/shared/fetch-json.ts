import { ImportProblem } from '../../problem.ts'
import type { ApiOptions } from '../../source.ts'

const ATTEMPTS = 6
const MAX_WAIT = 120

interface Extra {
  authorization: string | undefined
  /** Is posted as JSON. */
  body?: unknown
}

/** Asks an API for JSON. Waits and repeats if there are too many requests, or the server fails. */
export async function fetchJson(
  url: string,
  options: ApiOptions,
  { authorization, body }: Extra,
): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const response = await options.fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(authorization && { authorization }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: options.signal,
    })
    const canRepeat = response.status === 429 || response.status >= 500
    if (response.ok || !canRepeat || attempt === ATTEMPTS) return resultOf(response, url)
    const seconds = Number(response.headers.get('retry-after')) || 2 ** attempt
    options.onProgress(`Waiting for ${new URL(url).hostname}`)
    await pause(Math.min(seconds, MAX_WAIT) * 1000, options.signal)
  }
}

async function resultOf(response: Response, url: string): Promise<unknown> {
  const { hostname } = new URL(url)
  const text = await response.text()
  if (response.status === 401 || response.status === 403)
    throw new ImportProblem(
      `${hostname} refuses the request (${response.status})`,
      'Check the token, and that its owner can see the project',
    )
  if (!response.ok)
    throw new ImportProblem(
      `${hostname} answers ${response.status}: ${text.slice(0, 300)}`,
      'Check the address, then try again',
    )
  try {
    return JSON.parse(text)
  } catch {
    throw new ImportProblem(
      `${hostname} does not answer with JSON`,
      'Check the address; it may lead to a page for signing in',
    )
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
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
