import type { Server } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { newWebhookSecret, urlFault } from '../../../agents/webhooks/model/index.ts'
import type { ChannelKind } from './rules.ts'
import type { ConfigInput } from './schema.ts'
import { arePushKeys, type PushKeys } from './web-push.ts'

/** The address and the secrets of a channel. They are encrypted in the database. */
export interface ChannelConfig {
  url: string
  topic?: string
  token?: string
  keys?: PushKeys
  signing_secret?: string
  /** The secret that signs a webhook, created here. */
  secret?: string
  /** The secret before its last rotation, which signs as well until then. */
  old?: { secret: string; until: string }
  urls?: string
  tags?: string
}

type Field = Exclude<keyof ConfigInput, 'url'>

/** Besides `url`, which each kind needs. */
const FIELDS: Record<ChannelKind, { required?: Field[]; optional?: Field[] }> = {
  push: { required: ['keys'] },
  ntfy: { required: ['topic'], optional: ['token'] },
  slack: { optional: ['signing_secret'] },
  discord: {},
  mattermost: {},
  webhook: {},
  apprise: { optional: ['urls', 'tags'] },
}

const PURPOSE = 'channel'
const OVERLAP_MS = 24 * 60 * 60 * 1000

export const sealConfig = (server: Pick<Server, 'encrypt'>, config: ChannelConfig): string =>
  server.encrypt(PURPOSE, JSON.stringify(config))

export const openConfig = (
  server: Pick<Server, 'decrypt'>,
  { config }: { config: string },
): ChannelConfig => JSON.parse(server.decrypt(PURPOSE, config))

/** The configuration of a new channel. Throws for missing fields and those of other kinds. */
export function newConfig(kind: ChannelKind, input: ConfigInput): ChannelConfig {
  requireFields(kind, input)
  const config = changeConfig(kind, { url: input.url! }, input)
  return kind === 'webhook' ? { ...config, secret: newWebhookSecret() } : config
}

/** Replaces the secret of a webhook. For one more day requests are signed with both. */
export function rotateSecret(config: ChannelConfig, now: Date) {
  if (config.secret === undefined)
    throw fault.conflict('Only channels of the kind webhook have a secret', { field: 'channel_id' })
  const until = new Date(now.getTime() + OVERLAP_MS).toISOString()
  const secret = newWebhookSecret()
  return { ...config, secret, old: { secret: config.secret, until } }
}

/** The secrets that sign a request now. */
export const secretsOf = ({ secret, old }: ChannelConfig, now: Date): string[] => [
  secret!,
  ...(old && new Date(old.until) > now ? [old.secret] : []),
]

/** A field that is null is removed. */
export function changeConfig(
  kind: ChannelKind,
  before: ChannelConfig,
  input: ConfigInput,
): ChannelConfig {
  refuseOthers(kind, input)
  const entries = Object.entries({ ...before, ...input }).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  const config = Object.fromEntries(entries) as unknown as ChannelConfig
  if (config.keys && !arePushKeys(config.keys))
    throw fault.invalid('keys', 'invalid_format', 'These are not the keys of a push subscription')
  return config
}

function requireFields(kind: ChannelKind, input: ConfigInput): void {
  for (const field of ['url', ...(FIELDS[kind].required ?? [])] as const)
    if (input[field] === undefined || input[field] === null)
      throw fault.invalid(field, 'required', `A channel of the kind ${kind} needs ${field}`)
}

function refuseOthers(kind: ChannelKind, input: ConfigInput): void {
  const { required = [], optional = [] } = FIELDS[kind]
  const allowed: readonly string[] = ['url', ...required, ...optional]
  for (const [field, value] of Object.entries(input))
    if (value !== undefined && value !== null && !allowed.includes(field))
      throw fault.invalid(field, 'conflict', `A channel of the kind ${kind} has no ${field}`)
}

/** Throws if nothing can ever be posted to the address. */
export const checkUrl = ({ post }: Pick<Server, 'post'>, url: string): Promise<void> =>
  post.check(url).catch((error) => {
    throw urlFault(error, url)
  })

/** What people see of the address. The paths of most kinds are secrets. */
export function addressOf(kind: ChannelKind, { url, topic }: ChannelConfig): string {
  if (kind === 'ntfy') return `${url.replace(/\/+$/, '')}/${topic}`
  return kind === 'webhook' ? url : new URL(url).origin
}

export const hashOfAddress = ({ url, topic = '' }: ChannelConfig): string =>
  Bun.CryptoHasher.hash('sha256', `${url} ${topic}`.trim(), 'hex')
