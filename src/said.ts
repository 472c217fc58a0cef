import type { Endpoint as AiEndpoint } from './ai/index.ts'
import type { Bucket } from './files/index.ts'
import type { CodeHost } from './kernel/outside.ts'
import { type Relay, relayIn } from './mail/index.ts'
import type { Endpoint } from './search/vectors/index.ts'
import { type TrustedProxies, trustedProxies } from './surfaces/client-address.ts'

export class BadConfig extends Error {}

/** What somebody said of a setting. */
export interface Said {
  /** Where it was said, as whoever said it would call it. */
  name: string
  text: string
}

export const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export const hidden = (text: string) => `(${text.length} characters)`
export const optional = ({ text }: Said) => text || undefined
export const rate = (said: Said) => whole(said, 1e9)

export function postgres({ name, text }: Said): string | undefined {
  if (text && !/^postgres(ql)?:\/\//.test(text))
    throw new BadConfig(
      `${name} must begin with postgres:// or postgresql://. Leave it out to keep the data in the data folder.`,
    )
  return text || undefined
}

export function withoutPassword(text: string): string {
  const url = URL.parse(text)
  if (!url) return hidden(text)
  if (url.password) url.password = '***'
  return url.href
}

export function filled({ name, text }: Said): string {
  if (!text.trim()) throw new BadConfig(`${name} must not be empty`)
  return text
}

export function whole({ name, text }: Said, most: number): number {
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw new BadConfig(`${name} must be a whole number from 0 to ${most}, not "${text}"`)
  return Number(text)
}

/** Megabytes, in bytes; 0 sets no limit. */
export const quota = (said: Said) => whole(said, 1e9) * 1e6

/** Megabytes, in bytes. */
export function memory({ name, text }: Said): number {
  const megabytes = /^\d+$/.test(text) ? Number(text) : 0
  if (megabytes < 8 || megabytes > 65_536)
    throw new BadConfig(`${name} must be a whole number of MB from 8 to 65536, not "${text}"`)
  return megabytes * 1e6
}

export function cycle({ name, text }: Said): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0
  if (seconds < 0.05 || seconds > 3600)
    throw new BadConfig(`${name} must be a number of seconds from 0.05 to 3600, not "${text}"`)
  return seconds
}

export function address({ name, text }: Said): string {
  const url = URL.parse(text)
  const plain = url && /^https?:$/.test(url.protocol) && url.href.startsWith(url.origin)
  if (text && (!plain || url.search || url.hash || url.pathname !== '/'))
    throw new BadConfig(
      `${name} must be an address like https://board.example.com, without a path, not "${text}"`,
    )
  return url?.origin ?? ''
}

/** With a path where a service has one, and plain http where it is near. */
export function service({ name, text }: Said): string | undefined {
  const url = URL.parse(text)
  if (text && !(url && /^https?:$/.test(url.protocol) && !url.username && !url.search))
    throw new BadConfig(
      `${name} must be an address like https://s3.eu-central-1.amazonaws.com, not "${text}"`,
    )
  return text || undefined
}

/** Where `/embeddings` is asked for; a machine's own models are near and speak plain http. */
export function endpoint({ name, text }: Said): string | undefined {
  const url = URL.parse(text)
  const usable = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash
  if (text && (!usable || url.username || url.password))
    throw new BadConfig(
      `${name} must be an address like https://api.openai.com/v1, without a key in it`,
    )
  return text.replace(/\/+$/, '') || undefined
}

export function provider({ name, text }: Said): AiEndpoint['provider'] | undefined {
  if (text && text !== 'openai' && text !== 'anthropic')
    throw new BadConfig(`${name} must be openai or anthropic, not "${text}"`)
  return text === 'openai' || text === 'anthropic' ? text : undefined
}

/** Goes into a header, so a line break that a file ended in would be one too many. */
export function key({ name, text }: Said): string | undefined {
  if (!/^[!-~]*$/.test(text.trim()))
    throw new BadConfig(`${name} must be a key of letters, digits and signs, without a space`)
  return text.trim() || undefined
}

/** Never quotes what it refuses, which holds a password. */
export function relay({ name, text }: Said): Relay | undefined {
  if (!text) return undefined
  try {
    return relayIn(text)
  } catch (error) {
    throw new BadConfig(`${name} ${(error as Error).message}`)
  }
}

export function hosts({ name, text }: Said): string[] {
  const names = text.split(',').flatMap((one) => one.trim().toLowerCase() || [])
  const strange = names.find((one) => !/^[a-z0-9._:-]+$/.test(one))
  if (strange)
    throw new BadConfig(
      `${name} must name hosts like files.example.com, with commas between them, not "${strange}"`,
    )
  return names
}

export function proxies({ name, text }: Said): TrustedProxies {
  try {
    return trustedProxies(text)
  } catch (error) {
    throw new BadConfig(
      `${name} must list addresses like 10.0.0.5, ranges like 10.0.0.0/8 or fd00::/8, "loopback" or "private", with commas between them, not "${(error as Error).message}"`,
    )
  }
}

/** `git.example.com=gitlab`; with http:// before it where it speaks nothing else. */
export function codeHosts({ name, text }: Said): CodeHost[] {
  return text.split(',').flatMap((one) => {
    const [address = '', layout] = one.trim().toLowerCase().split('=')
    if (!address && layout === undefined) return []
    const url = URL.parse(/^https?:\/\//.test(address) ? address : `https://${address}`)
    if (url && url.href === `${url.origin}/` && (layout === 'github' || layout === 'gitlab'))
      return { origin: url.origin, layout }
    throw new BadConfig(
      `${name} must name hosts like git.example.com=gitlab or code.example.com=github, with commas between them, not "${one.trim()}"`,
    )
  })
}

export function level({ name, text }: Said): string {
  if (!LEVELS.includes(text))
    throw new BadConfig(`${name} must be one of ${LEVELS.join(', ')}, not "${text}"`)
  return text
}

/** What is said of a bucket, be it too little. */
interface BucketSettings {
  s3Endpoint: string | undefined
  s3Bucket: string | undefined
  s3Region: string
  s3AccessKey: string | undefined
  s3SecretKey: string | undefined
}

/** Where attachments go instead of the data folder, if anywhere. */
export function bucketOf(config: BucketSettings): Bucket | undefined {
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3Region: region } = config
  const { s3AccessKey: accessKeyId, s3SecretKey: secretAccessKey } = config
  const rest = Object.entries({
    CORK_S3_ENDPOINT: endpoint,
    CORK_S3_BUCKET: bucket,
    CORK_S3_ACCESS_KEY: accessKeyId,
    CORK_S3_SECRET_KEY: secretAccessKey,
  })
  const missing = rest.filter(([, value]) => !value).map(([name]) => name)
  if (missing.length === rest.length) return undefined
  if (endpoint && bucket && accessKeyId && secretAccessKey)
    return { endpoint, bucket, region, accessKeyId, secretAccessKey }
  const last = missing.pop()
  throw new BadConfig(
    `Attachments in S3 need ${missing.length ? `${missing.join(', ')} and ` : ''}${last} too. Leave all four out to keep them in the data folder.`,
  )
}

/** What is said of an endpoint, be it too little. */
interface EndpointSettings {
  embeddingsBaseUrl: string | undefined
  embeddingsApiKey: string | undefined
  embeddingsModel: string | undefined
}

/** Who makes vectors of texts, if anybody. */
export function embeddingsOf(config: EndpointSettings): Endpoint | undefined {
  const { embeddingsBaseUrl: base, embeddingsModel: model, embeddingsApiKey: key } = config
  if (base && model) return { base, model, ...(key && { key }) }
  if (!base && !model && !key) return undefined
  const missing = [!base && 'CORK_EMBEDDINGS_BASE_URL', !model && 'CORK_EMBEDDINGS_MODEL']
  throw new BadConfig(
    `Finding by meaning needs ${missing.filter(Boolean).join(' and ')} too. Leave all of CORK_EMBEDDINGS_… out to find by words alone.`,
  )
}

/** What is said of a model, be it too little. */
interface AiSettings {
  aiBaseUrl: string | undefined
  aiApiKey: string | undefined
  aiModel: string | undefined
  aiProvider: AiEndpoint['provider'] | undefined
}

/** The model that answers in the chat, if there is one. */
export function aiOf(config: AiSettings): AiEndpoint | undefined {
  const { aiBaseUrl: base, aiModel: model, aiApiKey: key, aiProvider } = config
  if (base && model) {
    const provider = aiProvider ?? (speaksAsAnthropic(base) ? 'anthropic' : 'openai')
    return { provider, base: completed(base, provider), model, ...(key && { key }) }
  }
  if (!base && !model && !key && !aiProvider) return undefined
  const missing = [!base && 'CORK_AI_BASE_URL', !model && 'CORK_AI_MODEL']
  throw new BadConfig(
    `A model for the chat needs ${missing.filter(Boolean).join(' and ')} too. Leave all of CORK_AI_… out to do without.`,
  )
}

/** Others offer the same under an address of that name. */
const speaksAsAnthropic = (base: string) =>
  /(^|\.)anthropic\.com$/.test(new URL(base).hostname) || /\/anthropic(\/|$)/.test(base)

/** People copy addresses with too little at their end, or with all that is asked for there. */
function completed(base: string, provider: AiEndpoint['provider']): string {
  const bare = base.replace(/\/(chat\/completions|messages)$/, '')
  const { pathname } = new URL(bare)
  const short = provider === 'anthropic' ? !/\/v\d+$/.test(pathname) : pathname === '/'
  return short ? `${bare}/v1` : bare
}
