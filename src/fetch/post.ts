import { type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { type Post, type Posting, Unfetched } from '../kernel/outside.ts'
import { type Allowing, dns, hostOf, leadingTo, placeOf, type Spoken, unknown } from './places.ts'

/** Of an answer only its status counts; this much is read so that its sender can end in peace. */
const MOST_ANSWER = 65_536
/** So long is it listened to, for whoever answers a byte at a time would never end. */
const LISTEN_MS = 1000
/** A name that nobody knows yet may be known once something is sent there. */
const LOOK_UP_MS = 1000

interface Options extends Allowing {
  /** A certificate that is trusted besides those the world trusts; only tests name one. */
  ca?: string
}

/**
 * Sends to an address that somebody else named. Where it leads is looked up each time, checked, and
 * then connected to as it was checked; redirects are not followed.
 */
export const guardedPost = ({ allowed, resolve = dns, ca }: Options): Post => ({
  async check(given) {
    const url = addressIn(given, allowed)
    const place = await Promise.race([placeOf(url, { allowed, resolve }), late(LOOK_UP_MS)])
    if (place === 'closed') throw closed(url)
  },
  async send(given, posting) {
    const url = addressIn(given, allowed)
    const place = await orEnded(placeOf(url, { allowed, resolve }), posting.signal)
    if (place === 'unknown') throw unknown(url)
    if (place === 'closed') throw closed(url)
    return statusOf(url, place, posting, ca)
  },
})

const late = (ms: number) => Bun.sleep(ms).then(() => 'unknown' as const)

function addressIn(given: string, allowed: readonly string[]): URL {
  const url = URL.parse(given)
  const isPlain = url?.protocol === 'http:' && allowed.includes(hostOf(url))
  if (!url || (url.protocol !== 'https:' && !isPlain))
    throw new Unfetched(
      'invalid_format',
      'It is no https address',
      'Write it like https://example.com/hook',
    )
  if (url.username || url.password)
    throw new Unfetched(
      'invalid_format',
      'An address must not hold a user name or password',
      'The signature proves who calls; a secret path can do so as well',
    )
  return url
}

function statusOf(url: URL, to: Spoken, { headers, body, signal }: Posting, ca?: string) {
  const ask = url.protocol === 'https:' ? secure : plain
  const length = String(Buffer.byteLength(body))
  return new Promise<number>((resolve, reject) => {
    const sent = ask(
      url,
      {
        ...{ method: 'POST', lookup: leadingTo(to), signal, ...(ca && { ca }) },
        // A connection of its own: one that was kept may lead elsewhere.
        agent: false,
        headers: { ...headers, 'content-length': length, 'user-agent': 'Corkboard' },
      },
      (response) => {
        resolve(response.statusCode ?? 0)
        void drained(response)
      },
    )
    sent.on('error', (error) => reject(signal.aborted ? tooSlow() : inWords(url, error)))
    sent.end(body)
  })
}

async function drained(response: IncomingMessage): Promise<void> {
  let size = 0
  const late = setTimeout(() => response.destroy(), LISTEN_MS)
  try {
    for await (const chunk of response) {
      size += chunk.length
      if (size > MOST_ANSWER) break
    }
  } catch {
    // Its status was heard, and that is all that counts.
  } finally {
    clearTimeout(late)
    response.destroy()
  }
}

function orEnded<T>(job: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(tooSlow())
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  return Promise.race([job, promise]).finally(() => signal.removeEventListener('abort', end))
}

const tooSlow = () => new Unfetched('out_of_range', 'It took too long to answer')

const closed = (url: URL) =>
  new Unfetched(
    'out_of_range',
    `${url.host} is not a public address`,
    'Name one that the internet can reach. Whoever runs the server can allow a host: CORK_ALLOW_HOSTS',
  )

const WORDS: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens there',
  ConnectionRefused: 'Nothing listens there',
  ECONNRESET: 'The connection was cut before an answer',
  ConnectionClosed: 'The connection was cut before an answer',
  ECONNABORTED: 'The connection was cut before an answer',
  EHOSTUNREACH: 'There is no way to that host',
  ENETUNREACH: 'There is no way to that host',
  CERT_HAS_EXPIRED: 'Its certificate has expired',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is signed by nobody but itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is signed by somebody whom nobody trusts',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate does not say who signed it',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Its certificate is signed by somebody whom nobody trusts',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host',
}

function inWords(url: URL, error: Error & { code?: string }): Unfetched {
  const words = WORDS[error.code ?? ''] ?? `It cannot be reached: ${error.message}`
  return new Unfetched('not_found', words, `Check ${url.host}`)
}
