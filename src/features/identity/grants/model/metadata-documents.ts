import type { Server } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { FetchError } from '../../../../kernel/services.ts'
import { type OAuthClient, redirectUris } from './clients.ts'
import { cleanClientName } from './rules.ts'
import { MAX_CLIENT_ID_LENGTH, MAX_DOCUMENT_BYTES } from './schema.ts'

const TIMEOUT_MS = 5000
const MINUTE_MS = 60_000
const MIN_AGE_MS = 5 * MINUTE_MS
const MAX_AGE_MS = 24 * 60 * MINUTE_MS
/** A document that could not be read is not fetched again for this long. */
const FAILURE_AGE_MS = MINUTE_MS / 6
const MAX_CACHED = 500

interface Options {
  server: Pick<Server, 'fetch' | 'elapsed'>
  /** Hosts that may have a private address, and need no HTTPS. */
  allowedHosts: readonly string[]
}

interface Cached {
  client: Promise<OAuthClient>
  expires: number
}

/** Reads clients whose id is the address of a document about them. */
export class MetadataDocuments {
  private readonly cache = new Map<string, Cached>()

  constructor(private readonly options: Options) {}

  /** Whether the id is such an address. It throws if the address is none that may be read. */
  isDocument(client_id: string): boolean {
    if (!/^https?:/i.test(client_id)) return false
    const url = URL.parse(client_id)
    const isAllowed =
      url?.protocol === 'https:' || this.options.allowedHosts.includes(url?.hostname ?? '')
    if (!url || !isAllowed || client_id.length > MAX_CLIENT_ID_LENGTH) throw badAddress()
    const isPlain = !url.username && !url.password && !client_id.includes('#')
    // The address in the document must be the same text, so only the normal form can match.
    if (!isPlain || url.href !== client_id || url.pathname === '/') throw badAddress()
    return true
  }

  /** The client that the document describes. Concurrent reads of one address share a request. */
  async read(client_id: string): Promise<OAuthClient> {
    const now = this.options.server.elapsed()
    const cached = this.cache.get(client_id)
    if (cached && cached.expires > now) return cached.client
    const entry: Cached = { client: this.fetch(client_id), expires: now + FAILURE_AGE_MS }
    this.cache.delete(client_id)
    this.cache.set(client_id, entry)
    if (this.cache.size > MAX_CACHED) this.cache.delete(this.cache.keys().next().value!)
    return entry.client
  }

  private async fetch(client_id: string): Promise<OAuthClient> {
    const { server } = this.options
    let cacheControl = ''
    try {
      const chunks: Uint8Array[] = []
      const body = server.fetch(client_id, {
        bytes: MAX_DOCUMENT_BYTES,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirects: false,
        onHeaders: (headers) => {
          cacheControl = String(headers['cache-control'] ?? '')
        },
      })
      for await (const chunk of body) chunks.push(chunk)
      const client = parseDocument(client_id, Buffer.concat(chunks))
      const entry = this.cache.get(client_id)
      if (entry) entry.expires = server.elapsed() + cacheAge(cacheControl)
      return client
    } catch (error) {
      throw unreadable(client_id, error)
    }
  }
}

function cacheAge(cacheControl: string): number {
  const seconds = Number(/(?:^|,)\s*max-age=(\d+)/i.exec(cacheControl)?.[1] ?? 0)
  return Math.min(Math.max(seconds * 1000, MIN_AGE_MS), MAX_AGE_MS)
}

/** Checks a metadata document. Its `client_id` must be the address that it was read from. */
export function parseDocument(client_id: string, bytes: Uint8Array): OAuthClient {
  const document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw problem('it is not a JSON object')
  const { client_id: own, client_name, redirect_uris, client_secret } = document
  if (own !== client_id) throw problem('its client_id is not its own address')
  if (client_secret !== undefined) throw problem('it contains a client_secret')
  const name = cleanClientName(client_name)
  if (!name) throw problem('it has no client_name')
  const uris = redirectUris(redirect_uris)
  if (!uris.length) throw problem('it has no redirect_uris')
  return { client_id, name, host: new URL(client_id).host, redirect_uris: uris }
}

const problem = (text: string) => fault.invalid('client_id', 'invalid_format', text)

const badAddress = () =>
  fault.invalid(
    'client_id',
    'invalid_format',
    'The id of the app must be an https address with a path, without user name and fragment',
    undefined,
    'Report this to the maker of the app',
  )

function unreadable(client_id: string, error: unknown): Fault {
  const isKnown = error instanceof FetchError || error instanceof Fault
  const reason = isKnown ? error.message : 'it is not valid JSON'
  return fault.invalid(
    'client_id',
    'invalid_format',
    `The document at ${client_id} does not describe an app that can be let in: ${reason}`,
    undefined,
    'Report this to the maker of the app',
  )
}
