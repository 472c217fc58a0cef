import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { FetchError, type Post, type PostRequest, type PostResponse } from '../kernel/services.ts'
import {
  fixedLookup,
  type HostAddress,
  type HostOptions,
  hostOf,
  lookupHost,
  resolveHost,
  unknownHost,
} from './resolve-host.ts'

/** This much of a response is read, so that it can finish. */
const MAX_RESPONSE_BYTES = 65_536
/** Time limit for reading the body, because a slow sender might never finish. */
const DRAIN_MS = 1000
/** A host that does not resolve in time passes `check`; it may resolve later. */
const LOOKUP_TIMEOUT_MS = 1000

interface Options extends HostOptions {
  /** An additional trusted certificate; only tests set it. */
  ca?: string
}

/**
 * Posts to a URL that a user entered. Its host is resolved and checked for each request, and the
 * connection goes to the checked IP address. Redirects are not followed.
 */
export function guardedPost({ allowed, resolve = lookupHost, ca }: Options): Post {
  async function open(input: string, request: PostRequest) {
    const { url, address } = await checkedAddress(input, { allowed, resolve }, request.signal)
    return postTo(url, address, request, ca)
  }
  return {
    async check(input) {
      const url = parseUrl(input, allowed)
      const address = await Promise.race([
        resolveHost(url, { allowed, resolve }),
        unknownAfter(LOOKUP_TIMEOUT_MS),
      ])
      if (address === 'closed') throw notPublic(url)
    },
    async send(input, request) {
      const response = await open(input, request)
      void read(response)
      return response.statusCode ?? 0
    },
    async exchange(input, request): Promise<PostResponse> {
      const response = await open(input, request)
      const { statusCode: status = 0, headers } = response
      return { status, text: await read(response), retryAfter: headers['retry-after'] }
    },
  }
}

/** The URL and the IP address that a request may go to. */
export async function checkedAddress(
  input: string,
  { allowed, resolve = lookupHost }: HostOptions,
  signal: AbortSignal,
): Promise<{ url: URL; address: HostAddress }> {
  const url = parseUrl(input, allowed)
  const address = await orAborted(resolveHost(url, { allowed, resolve }), signal)
  if (address === 'unknown') throw unknownHost(url)
  if (address === 'closed') throw notPublic(url)
  return { url, address }
}

const unknownAfter = (ms: number) => Bun.sleep(ms).then(() => 'unknown' as const)

function parseUrl(input: string, allowed: readonly string[]): URL {
  const url = URL.parse(input)
  const isPlain = url?.protocol === 'http:' && allowed.includes(hostOf(url))
  if (!url || (url.protocol !== 'https:' && !isPlain))
    throw new FetchError(
      'invalid_format',
      'It is not an https address',
      'Use an address like https://example.com/hook',
    )
  if (url.username || url.password)
    throw new FetchError(
      'invalid_format',
      'An address must not contain a user name or password',
      'The signature proves who calls; you can also use a secret path',
    )
  return url
}

function postTo(
  url: URL,
  address: HostAddress,
  { headers, body, signal }: PostRequest,
  ca?: string,
) {
  const startRequest = url.protocol === 'https:' ? httpsRequest : httpRequest
  const length = String(Buffer.byteLength(body))
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = startRequest(
      url,
      {
        method: 'POST',
        lookup: fixedLookup(address),
        signal,
        ...(ca && { ca }),
        // A new connection, because a pooled one may lead to another address.
        agent: false,
        headers: { ...headers, 'content-length': length, 'user-agent': 'Corkboard' },
      },
      resolve,
    )
    request.on('error', (error) => reject(signal.aborted ? tooSlow() : toFetchError(url, error)))
    request.end(body)
  })
}

/** Resolves with what arrived of the body, also if it is too long, too slow or cut off. */
async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const timer = setTimeout(() => response.destroy(), DRAIN_MS)
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_RESPONSE_BYTES) break
    }
  } catch {
    // The status is known, and the rest of the body is not needed.
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
  return Buffer.concat(chunks).toString()
}

function orAborted<T>(job: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(tooSlow())
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([job, promise]).finally(() => signal.removeEventListener('abort', onAbort))
}

export const tooSlow = () => new FetchError('out_of_range', 'It took too long to respond')

const notPublic = (url: URL) =>
  new FetchError(
    'out_of_range',
    `${url.host} is not a public address`,
    'Use an address that is reachable from the internet. The server operator can allow a host with CORK_ALLOW_HOSTS',
  )

const CAUSES: Record<string, string> = {
  ECONNREFUSED: 'Connection refused',
  ConnectionRefused: 'Connection refused',
  ECONNRESET: 'The connection was closed before a response',
  ConnectionClosed: 'The connection was closed before a response',
  ECONNABORTED: 'The connection was closed before a response',
  EHOSTUNREACH: 'No route to that host',
  ENETUNREACH: 'No route to that host',
  CERT_HAS_EXPIRED: 'Its certificate has expired',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is signed by an untrusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Its certificate is signed by an untrusted authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host',
}

export function toFetchError(url: URL, error: Error & { code?: string }): FetchError {
  const message = CAUSES[error.code ?? ''] ?? `It cannot be reached: ${error.message}`
  return new FetchError('not_found', message, `Check ${url.host}`)
}
