import { type ClientRequest, type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { type Fetch, Unfetched, type Wanted } from '../kernel/outside.ts'
import { type Allowing, dns, leadingTo, placeOf, type Spoken, unknown } from './places.ts'

export { isPublic } from './addresses.ts'
export { guardedPost } from './post.ts'

const MOST_TURNS = 5
/** Until the first byte of an answer. */
const PATIENCE_MS = 10_000

export interface Options extends Allowing {
  patience?: number
}

/**
 * Reads an address that somebody else named. Where it leads is looked up once, checked, and then
 * connected to as it was checked; at every redirect again.
 */
export const guardedFetch = ({
  allowed,
  resolve = dns,
  patience = PATIENCE_MS,
}: Options): Fetch => {
  async function addressOf(url: URL): Promise<Spoken> {
    const place = await placeOf(url, { allowed, resolve })
    if (place === 'unknown') throw unknown(url)
    if (place !== 'closed') return place
    throw new Unfetched(
      'out_of_range',
      `${url.host} is not a public address`,
      'Send the file as data. Whoever runs the server can allow a host: CORK_ALLOW_HOSTS',
    )
  }
  return async function* (given, wanted) {
    const ends = wanted.signal
    let url = addressIn(given)
    for (let turn = 0; turn <= MOST_TURNS; turn++) {
      const address = await orTooSlow(addressOf(url), ends)
      const response = await answered(url, address, ends, patience)
      const next = redirected(url, response)
      if (!next) return yield* contents(response, wanted)
      response.destroy()
      url = next
    }
    throw new Unfetched('out_of_range', `It redirects more than ${MOST_TURNS} times`)
  }
}

function addressIn(given: string): URL {
  const url = URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Unfetched(
      'invalid_format',
      'It is no http or https address',
      'Write it like https://example.com/picture.png',
    )
  if (url.username || url.password)
    throw new Unfetched(
      'invalid_format',
      'An address must not hold a user name or password',
      'Send the file as data instead',
    )
  return url
}

function redirected(from: URL, { statusCode = 0, headers }: IncomingMessage): URL | undefined {
  if (statusCode < 300 || statusCode > 399 || !headers.location) return undefined
  return addressIn(URL.parse(headers.location, from.href)?.href ?? headers.location)
}

/** The head of the answer, from exactly this address. */
function answered(url: URL, to: Spoken, ends: AbortSignal, patience: number) {
  const ask = url.protocol === 'https:' ? secure : plain
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent: ClientRequest = ask(
      url,
      {
        lookup: leadingTo(to),
        // A connection of its own: one that was kept may lead elsewhere.
        agent: false,
        signal: ends,
        headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Corkboard' },
      },
      (response) => {
        clearTimeout(late)
        resolve(response)
      },
    )
    const late = setTimeout(() => {
      reject(tooSlow())
      sent.destroy()
    }, patience)
    sent.on('error', (error) => {
      clearTimeout(late)
      reject(ends.aborted ? tooSlow() : unreachable(url, error))
    })
    sent.end()
  })
}

async function* contents(response: IncomingMessage, { bytes, signal }: Wanted) {
  const { statusCode = 0, headers } = response
  try {
    if (statusCode < 200 || statusCode > 299)
      throw new Unfetched(
        'invalid_format',
        `Its server answered with status ${statusCode}`,
        'Check that it opens without signing in, or send the file as data',
        statusCode,
      )
    // Unpacking could make a small answer a large one.
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new Unfetched(
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
    // What was cut short ends without an error here.
    if (signal.aborted) throw tooSlow()
    if (Number(headers['content-length'] ?? size) !== size || !response.complete) throw broken()
  } catch (error) {
    throw error instanceof Unfetched ? error : signal.aborted ? tooSlow() : broken()
  } finally {
    response.destroy()
  }
}

function orTooSlow<T>(job: Promise<T>, ends: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(tooSlow())
  if (ends.aborted) end()
  ends.addEventListener('abort', end, { once: true })
  return Promise.race([job, promise]).finally(() => ends.removeEventListener('abort', end))
}

const tooSlow = () =>
  new Unfetched('out_of_range', 'Its server takes too long', 'Try again, or send the file as data')

const tooLarge = (bytes: number) =>
  new Unfetched('too_long', `It is larger than ${bytes} bytes`, 'Attach a link to it instead')

const broken = () => new Unfetched('invalid_format', 'It broke off before its end', 'Try again')

const unreachable = ({ host }: URL, { message }: Error) =>
  new Unfetched('not_found', `${host} cannot be reached: ${message}`, 'Check the address')
