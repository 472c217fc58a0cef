import type { Endpoint as AiEndpoint, ModelPrice } from '../ai/index.ts'
import type { Bucket } from '../files/index.ts'
import type { CodeHost } from '../kernel/services.ts'
import { parseRelayUrl, type Relay } from '../mail/index.ts'
import type { Endpoint } from '../search/vectors/index.ts'
import { type TrustedProxies, trustedProxies } from '../surfaces/client-address.ts'

export class BadConfig extends Error {}

/** The text of a setting before it is parsed. */
export interface RawValue {
  /** The variable or the flag that holds the text, for error messages. */
  name: string
  text: string
}

export const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export const maskAll = (text: string) => `(${text.length} characters)`
export const parseOptional = ({ text }: RawValue) => text || undefined
export const parseRate = (raw: RawValue) => parseWholeNumber(raw, 1e9)

export function parsePostgresUrl({ name, text }: RawValue): string | undefined {
  if (text && !/^postgres(ql)?:\/\//.test(text))
    throw new BadConfig(
      `${name} must begin with postgres:// or postgresql://. Omit it to store the data in the data folder.`,
    )
  return text || undefined
}

export function parseReplicaUrls({ name, text }: RawValue): string[] {
  const urls = text.split(',').flatMap((url) => url.trim() || [])
  if (urls.every((url) => /^postgres(ql)?:\/\//.test(url))) return urls
  throw new BadConfig(
    `${name} must list URLs that begin with postgres:// or postgresql://, separated by commas`,
  )
}

export const maskPasswords = (text: string) =>
  text
    .split(',')
    .map((url) => maskPassword(url.trim()))
    .join()

/** Throws if replicas are configured without their primary. */
export function checkPrimary(config: { databaseUrl: string | undefined; replicaUrls: string[] }) {
  if (config.replicaUrls.length && !config.databaseUrl)
    throw new BadConfig(
      'DATABASE_REPLICA_URLS also needs DATABASE_URL, the address of their primary. Omit both to store the data in the data folder.',
    )
}

export function maskPassword(text: string): string {
  const url = URL.parse(text)
  if (!url) return maskAll(text)
  if (url.password) url.password = '***'
  return url.href
}

export function parseRequired({ name, text }: RawValue): string {
  if (!text.trim()) throw new BadConfig(`${name} must not be empty`)
  return text
}

export function parseWholeNumber({ name, text }: RawValue, max: number): number {
  if (!/^\d+$/.test(text) || Number(text) > max)
    throw new BadConfig(`${name} must be a whole number from 0 to ${max}, not "${text}"`)
  return Number(text)
}

/** Parses megabytes and returns bytes. 0 means no limit. */
export const parseQuota = (raw: RawValue) => parseWholeNumber(raw, 1e9) * 1e6

/** Parses megabytes and returns bytes. */
export function parseMemory({ name, text }: RawValue): number {
  const megabytes = /^\d+$/.test(text) ? Number(text) : 0
  if (megabytes < 8 || megabytes > 65_536)
    throw new BadConfig(`${name} must be a whole number of MB from 8 to 65536, not "${text}"`)
  return megabytes * 1e6
}

/** Parses dollars per million tokens, which is the same number of micro-dollars per token. */
export function parsePrice({ name, text }: RawValue): ModelPrice | undefined {
  if (!text) return undefined
  const [, input, output] = /^(\d{1,6}(?:\.\d{1,6})?)\/(\d{1,6}(?:\.\d{1,6})?)$/.exec(text) ?? []
  if (input === undefined)
    throw new BadConfig(
      `${name} must be two prices in US dollars per million tokens, such as 2.50/10, not "${text}"`,
    )
  return { input: Number(input), output: Number(output) }
}

export function parseSeconds({ name, text }: RawValue): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0
  if (seconds < 0.05 || seconds > 3600)
    throw new BadConfig(`${name} must be a number of seconds from 0.05 to 3600, not "${text}"`)
  return seconds
}

/** When to back up: daily at a time, in minutes of the day, or every so many hours. */
export type BackupSchedule = { minute: number } | { hours: number }

export function parseSchedule({ name, text }: RawValue): BackupSchedule | undefined {
  if (!text) return undefined
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hour) return { minute: Number(hour) * 60 + Number(minute) }
  const hours = Number(/^(\d+)h$/.exec(text)?.[1] ?? 0)
  if (hours >= 1 && hours <= 168) return { hours }
  throw new BadConfig(`${name} must be a time such as 03:15, or hours such as 6h, not "${text}"`)
}

/** Other characters would be encoded differently by browsers and proxies. */
const BASE_PATH = /^(\/[\w.~-]+)*\/?$/

export function parseBaseUrl({ name, text }: RawValue): string {
  const url = URL.parse(text)
  const isHttp = url && /^https?:$/.test(url.protocol) && url.href.startsWith(url.origin)
  if (text && (!isHttp || url.search || url.hash || !BASE_PATH.test(url.pathname)))
    throw new BadConfig(
      `${name} must be an address like https://board.example.com or https://example.com/board, not "${text}"`,
    )
  return url ? url.origin + url.pathname.replace(/\/$/, '') : ''
}

/** Unlike a base address, a service address may have a path. */
export function parseServiceUrl({ name, text }: RawValue): string | undefined {
  const url = URL.parse(text)
  if (text && !(url && /^https?:$/.test(url.protocol) && !url.username && !url.search))
    throw new BadConfig(
      `${name} must be an address like https://s3.eu-central-1.amazonaws.com, not "${text}"`,
    )
  return text || undefined
}

/** The base address of a model service. Plain http is allowed, for models on the same machine. */
export function parseEndpointUrl({ name, text }: RawValue): string | undefined {
  const url = URL.parse(text)
  const isHttp = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash
  if (text && (!isHttp || url.username || url.password))
    throw new BadConfig(
      `${name} must be an address like https://api.openai.com/v1, without a key in it`,
    )
  return text.replace(/\/+$/, '') || undefined
}

export function parseProvider({ name, text }: RawValue): AiEndpoint['provider'] | undefined {
  if (text && text !== 'openai' && text !== 'anthropic')
    throw new BadConfig(`${name} must be openai or anthropic, not "${text}"`)
  return text === 'openai' || text === 'anthropic' ? text : undefined
}

/** The key goes into a header, so the line break at the end of a file is trimmed. */
export function parseApiKey({ name, text }: RawValue): string | undefined {
  if (!/^[!-~]*$/.test(text.trim()))
    throw new BadConfig(`${name} must be a key of letters, digits and symbols, without spaces`)
  return text.trim() || undefined
}

/** The error must not quote the value, because it contains a password. */
export function parseSmtpUrl({ name, text }: RawValue): Relay | undefined {
  if (!text) return undefined
  try {
    return parseRelayUrl(text)
  } catch (error) {
    throw new BadConfig(`${name} ${(error as Error).message}`)
  }
}

export function parseHosts({ name, text }: RawValue): string[] {
  const names = text.split(',').flatMap((host) => host.trim().toLowerCase() || [])
  const invalid = names.find((host) => !/^[a-z0-9._:-]+$/.test(host))
  if (invalid)
    throw new BadConfig(
      `${name} must list hosts like files.example.com, separated by commas, not "${invalid}"`,
    )
  return names
}

export function parseProxies({ name, text }: RawValue): TrustedProxies {
  try {
    return trustedProxies(text)
  } catch (error) {
    throw new BadConfig(
      `${name} must list addresses like 10.0.0.5, ranges like 10.0.0.0/8 or fd00::/8, "loopback" or "private", separated by commas, not "${(error as Error).message}"`,
    )
  }
}

/** Parses `git.example.com=gitlab`. A host without https needs `http://` in front. */
export function parseCodeHosts({ name, text }: RawValue): CodeHost[] {
  return text.split(',').flatMap((item) => {
    const [address = '', layout] = item.trim().toLowerCase().split('=')
    if (!address && layout === undefined) return []
    const url = URL.parse(/^https?:\/\//.test(address) ? address : `https://${address}`)
    if (url && url.href === `${url.origin}/` && (layout === 'github' || layout === 'gitlab'))
      return { origin: url.origin, layout }
    throw new BadConfig(
      `${name} must list hosts like git.example.com=gitlab or code.example.com=github, separated by commas, not "${item.trim()}"`,
    )
  })
}

export function parseLogLevel({ name, text }: RawValue): string {
  if (!LEVELS.includes(text))
    throw new BadConfig(`${name} must be one of ${LEVELS.join(', ')}, not "${text}"`)
  return text
}

/** The settings of an S3 bucket, each of which may be missing. */
interface BucketSettings {
  s3Endpoint: string | undefined
  s3Bucket: string | undefined
  s3Region: string
  s3AccessKey: string | undefined
  s3SecretKey: string | undefined
}

/**
 * The bucket that holds attachments, or undefined if they are in the data folder. Throws if only
 * some of its settings are set.
 */
export function bucketOf(config: BucketSettings): Bucket | undefined {
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3Region: region } = config
  const { s3AccessKey: accessKeyId, s3SecretKey: secretAccessKey } = config
  const variables = Object.entries({
    CORK_S3_ENDPOINT: endpoint,
    CORK_S3_BUCKET: bucket,
    CORK_S3_ACCESS_KEY: accessKeyId,
    CORK_S3_SECRET_KEY: secretAccessKey,
  })
  const missing = variables.filter(([, value]) => !value).map(([name]) => name)
  if (missing.length === variables.length) return undefined
  if (endpoint && bucket && accessKeyId && secretAccessKey)
    return { endpoint, bucket, region, accessKeyId, secretAccessKey }
  const last = missing.pop()
  throw new BadConfig(
    `Attachments in S3 also need ${missing.length ? `${missing.join(', ')} and ` : ''}${last}. Omit all four to store them in the data folder.`,
  )
}

/** The settings of an embeddings service, each of which may be missing. */
interface EndpointSettings {
  embeddingsBaseUrl: string | undefined
  embeddingsApiKey: string | undefined
  embeddingsModel: string | undefined
}

/** The embeddings service, if one is configured. Throws if only some of its settings are set. */
export function embeddingsOf(config: EndpointSettings): Endpoint | undefined {
  const { embeddingsBaseUrl: base, embeddingsModel: model, embeddingsApiKey: key } = config
  if (base && model) return { base, model, ...(key && { key }) }
  if (!base && !model && !key) return undefined
  const missing = [!base && 'CORK_EMBEDDINGS_BASE_URL', !model && 'CORK_EMBEDDINGS_MODEL']
  throw new BadConfig(
    `Search by meaning also needs ${missing.filter(Boolean).join(' and ')}. Omit all of CORK_EMBEDDINGS_… to search by words only.`,
  )
}

/** The settings of a chat model, each of which may be missing. */
interface AiSettings {
  aiBaseUrl: string | undefined
  aiApiKey: string | undefined
  aiModel: string | undefined
  aiProvider: AiEndpoint['provider'] | undefined
}

/** The chat model, if one is configured. Throws if only some of its settings are set. */
export function aiOf(config: AiSettings): AiEndpoint | undefined {
  const { aiBaseUrl: base, aiModel: model, aiApiKey: key, aiProvider } = config
  if (base && model) {
    const provider = aiProvider ?? (isAnthropicUrl(base) ? 'anthropic' : 'openai')
    return { provider, base: withVersionPath(base, provider), model, ...(key && { key }) }
  }
  if (!base && !model && !key && !aiProvider) return undefined
  const missing = [!base && 'CORK_AI_BASE_URL', !model && 'CORK_AI_MODEL']
  throw new BadConfig(
    `A model for the chat also needs ${missing.filter(Boolean).join(' and ')}. Omit all of CORK_AI_… to run without a model.`,
  )
}

/** Other services offer the Anthropic API under a path that contains `/anthropic`. */
const isAnthropicUrl = (base: string) =>
  /(^|\.)anthropic\.com$/.test(new URL(base).hostname) || /\/anthropic(\/|$)/.test(base)

/**
 * Adds the missing `/v1` to a base address, and removes the path of a single endpoint: people copy
 * addresses with either.
 */
function withVersionPath(base: string, provider: AiEndpoint['provider']): string {
  const bare = base.replace(/\/(chat\/completions|messages)$/, '')
  const { pathname } = new URL(bare)
  const lacksVersion = provider === 'anthropic' ? !/\/v\d+$/.test(pathname) : pathname === '/'
  return lacksVersion ? `${bare}/v1` : bare
}
