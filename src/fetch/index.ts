import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type Fetch, FetchError, type FetchLimits } from '../kernel/services.ts'
import {
  fixedLookup,
  type HostAddress,
  type HostOptions,
  lookupHost,
  resolveHost,
  unknownHost,
} from './resolve-host.ts'

export { isPublic } from './addresses.ts'
export { guardedCall } from './call.ts'
export { guardedPost } from './post.ts'

const MAX_REDIRECTS = 5
/** Time limit until the head of the response. */
const RESPONSE_TIMEOUT_MS = 10_000

export interface Options extends HostOptions {
  timeoutMs?: number
}

/**
 * Reads a URL that a user entered. Its host is resolved once, checked, and the connection goes to
 * the checked IP address. Every redirect is checked in the same way.
 */
export const guardedFetch = ({
  allowed,
  resolve = lookupHost,
  timeoutMs = RESPONSE_TIMEOUT_MS,
}: Options): Fetch => {
  async function resolveUrl(url: URL): Promise<HostAddress> {
    const address = await resolveHost(url, { allowed, resolve })
    if (address === 'unknown') throw unknownHost(url)
    if (address !== 'closed') return address
    throw new FetchError(
      'out_of_range',
      `${url.host} is not a public address`,
      'Send the file as data. The server operator can allow a host with CORK_ALLOW_HOSTS',
    )
  }
  return async function* (input, limits) {
    const signal = limits.signal
    let url = parseUrl(input)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const address = await orAborted(resolveUrl(url), signal)
      const response = await openResponse(url, address, signal, timeoutMs)
      const next = redirectTarget(url, response)
      if (!next) return yield* readBody(response, limits)
      response.destroy()
      if (limits.redirects === false) throw redirected()
      url = next
    }
    throw new FetchError('out_of_range', `It redirects more than ${MAX_REDIRECTS} times`)
  }
}

function parseUrl(input: string): URL {
  const url = URL.parse(input)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new FetchError(
      'invalid_format',
      'It is not an http or https address',
      'Use an address like https://example.com/picture.png',
    )
  if (url.username || url.password)
    throw new FetchError(
      'invalid_format',
      'An address must not contain a user name or password',
      'Send the file as data instead',
    )
  return url
}

function redirectTarget(from: URL, { statusCode = 0, headers }: IncomingMessage): URL | undefined {
  if (statusCode < 300 || statusCode > 399 || !headers.location) return undefined
  return parseUrl(URL.parse(headers.location, from.href)?.href ?? headers.location)
}

/** Sends the request to exactly this IP address and resolves with the head of the response. */
function openResponse(url: URL, address: HostAddress, signal: AbortSignal, timeoutMs: number) {
  const startRequest = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request: ClientRequest = startRequest(
      url,
      {
        lookup: fixedLookup(address),
        // A new connection, because a pooled one may lead to another address.
        agent: false,
        signal,
        headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Corkboard' },
      },
      (response) => {
        clearTimeout(timer)
        resolve(response)
      },
    )
    const timer = setTimeout(() => {
      reject(tooSlow())
      request.destroy()
    }, timeoutMs)
    request.on('error', (error) => {
      clearTimeout(timer)
      reject(signal.aborted ? tooSlow() : unreachable(url, error))
    })
    request.end()
  })
}

async function* readBody(response: IncomingMessage, limits: FetchLimits) {
  const { bytes, signal } = limits
  const { statusCode = 0, headers } = response
  try {
    limits.onHeaders?.(headers)
    if (statusCode < 200 || statusCode > 299)
      throw new FetchError(
        'invalid_format',
        `Its server answered with status ${statusCode}`,
        'Check that it opens without signing in, or send the file as data',
        statusCode,
      )
    // A small compressed response could unpack to a very large one.
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new FetchError(
        'invalid_format',
        'Its server only sends it compressed',
        'Send it as data',
      )
    if (Number(headers['content-length'] ?? 0) > bytes) throw tooLarge(bytes)
    let size = 0
    for await (const chunk of response) {
      size += chunk.length
      if (size > bytes) throw tooLarge(bytes)
      yield chunk as Uint8Array
    }
    // A truncated response ends without an error here.
    if (signal.aborted) throw tooSlow()
    if (Number(headers['content-length'] ?? size) !== size || !response.complete) throw broken()
  } catch (error) {
    throw error instanceof FetchError ? error : signal.aborted ? tooSlow() : broken()
  } finally {
    response.destroy()
  }
}

function orAborted<T>(job: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(tooSlow())
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([job, promise]).finally(() => signal.removeEventListener('abort', onAbort))
}

const redirected = () =>
  new FetchError('invalid_format', 'It redirects to another address', 'Use that address')

const tooSlow = () =>
  new FetchError(
    'out_of_range',
    'Its server took too long to respond',
    'Try again, or send the file as data',
  )

const tooLarge = (bytes: number) =>
  new FetchError('too_long', `It is larger than ${bytes} bytes`, 'Attach a link to it instead')

const broken = () => new FetchError('invalid_format', 'The download was cut off', 'Try again')

const unreachable = ({ host }: URL, { message }: Error) =>
  new FetchError('not_found', `${host} cannot be reached: ${message}`, 'Check the address')
