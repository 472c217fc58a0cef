import { nearest } from './kernel/validate.ts'
import {
  address,
  bucketOf,
  cycle,
  filled,
  hidden,
  hosts,
  LEVELS,
  level,
  optional,
  postgres,
  rate,
  type Said,
  service,
  whole,
  withoutPassword,
} from './said.ts'

export { BadConfig, bucketOf } from './said.ts'

type Env = Record<string, string | undefined>
type Flags = Record<string, string | undefined>

/** One thing that an operator can set. */
interface Setting<T> {
  /** Of the variable. */
  name: string
  /** The flag of `cork serve` that says the same, and wins. */
  flag?: string
  /** What counts where nothing is said; empty: nothing. */
  otherwise: string
  about: string
  /** How a value is shown that is, or holds, a secret. */
  mask?: (text: string) => string
  read(said: Said): T
}

const setting = <T>(declared: Setting<T>) => declared

/** Every setting there is: what is read at the start, and what `cork config` and the docs tell. */
const settings = {
  data: setting({
    name: 'CORK_DATA',
    flag: 'data',
    otherwise: './data',
    about: 'The data folder: database, attachments, signing key, backups',
    read: filled,
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    otherwise: '',
    about: 'postgres://… keeps the data in PostgreSQL instead of the data folder',
    mask: withoutPassword,
    read: postgres,
  }),
  secret: setting({
    name: 'CORK_SECRET',
    otherwise: '',
    about: 'Encrypts the signing key that is kept in PostgreSQL; needed with DATABASE_URL',
    mask: hidden,
    read: optional,
  }),
  host: setting({
    name: 'CORK_HOST',
    flag: 'host',
    otherwise: '127.0.0.1',
    about: 'Where to listen; 0.0.0.0 is everywhere',
    read: filled,
  }),
  port: setting({
    name: 'CORK_PORT',
    flag: 'port',
    otherwise: '3210',
    about: 'The port to listen on; 0 picks a free one',
    read: (said) => whole(said, 65_535),
  }),
  url: setting({
    name: 'CORK_URL',
    otherwise: '',
    about: 'The public base address, for links and cookies; for the command line, the server',
    read: address,
  }),
  token: setting({
    name: 'CORK_TOKEN',
    otherwise: '',
    about: 'The key or token that the command line shows the server',
    mask: hidden,
    read: optional,
  }),
  rateBase: setting({
    name: 'CORK_RATE_LIMIT_BASE',
    otherwise: '120',
    about: 'Requests a minute for each person or address; 0 switches off',
    read: rate,
  }),
  rateAgent: setting({
    name: 'CORK_RATE_LIMIT_AGENT',
    otherwise: '600',
    about: 'Requests a minute for each agent; 0 switches off',
    read: rate,
  }),
  allowHosts: setting({
    name: 'CORK_ALLOW_HOSTS',
    otherwise: '',
    about:
      'Hosts that files may be fetched from and webhooks sent to although their addresses are private, over plain http too; a comma list',
    read: hosts,
  }),
  s3Endpoint: setting({
    name: 'CORK_S3_ENDPOINT',
    otherwise: '',
    about: 'Keeps attachments in a bucket of this S3 service instead of the data folder',
    read: service,
  }),
  s3Bucket: setting({
    name: 'CORK_S3_BUCKET',
    otherwise: '',
    about: 'The name of that bucket',
    read: optional,
  }),
  s3Region: setting({
    name: 'CORK_S3_REGION',
    otherwise: 'us-east-1',
    about: 'The region of that bucket',
    read: filled,
  }),
  s3AccessKey: setting({
    name: 'CORK_S3_ACCESS_KEY',
    otherwise: '',
    about: 'The id of a key that may read, write, list and delete there',
    read: optional,
  }),
  s3SecretKey: setting({
    name: 'CORK_S3_SECRET_KEY',
    otherwise: '',
    about: 'The secret of that key',
    mask: hidden,
    read: optional,
  }),
  webhookCycle: setting({
    name: 'CORK_WEBHOOK_CYCLE',
    otherwise: '5',
    about: 'Seconds, at most, until a message goes out to the webhook of an agent',
    read: cycle,
  }),
  feedbackProject: setting({
    name: 'CORK_FEEDBACK_PROJECT',
    otherwise: '',
    about: 'The board, by number or key, on which feedback about this server becomes tickets',
    read: optional,
  }),
  logLevel: setting({
    name: 'CORK_LOG_LEVEL',
    otherwise: 'info',
    about: `How much is logged on standard error: ${LEVELS.join(', ')}; debug tells of each request`,
    read: level,
  }),
}

type Settings = typeof settings
/** Every setting, read once when the process starts. */
export type Config = { [K in keyof Settings]: ReturnType<Settings[K]['read']> }

export function readConfig(env: Env, flags: Flags = {}): Config {
  const entries = Object.entries<Setting<unknown>>(settings)
  const config = Object.fromEntries(
    entries.map(([key, one]) => [key, one.read(saidOf(one, env, flags))]),
  ) as Config
  // Half a bucket is known of before anybody needs it.
  bucketOf(config)
  return config
}

function saidOf({ name, flag, otherwise }: Setting<unknown>, env: Env, flags: Flags): Said {
  const given = flag === undefined ? undefined : flags[flag]
  if (given !== undefined) return { name: `--${flag}`, text: given }
  return { name, text: env[name] || otherwise }
}

/** One setting as it stands, to be shown to whoever runs the server. */
export interface Shown {
  name: string
  value: string | null
  origin: 'flag' | 'environment' | 'default'
  about: string
  /** Why it cannot be used as it is. */
  problem?: string
}

export function shownConfig(env: Env, flags: Flags = {}): Shown[] {
  return Object.values<Setting<unknown>>(settings).map((one) => {
    const said = saidOf(one, env, flags)
    const origin =
      said.name !== one.name ? 'flag' : env[one.name] ? ('environment' as const) : 'default'
    const problem = problemOf(one, said)
    const { name, about, mask } = one
    const value = said.text ? (mask?.(said.text) ?? said.text) : null
    return { name, value, origin, about, ...(problem && { problem }) }
  })
}

function problemOf(one: Setting<unknown>, said: Said): string | undefined {
  try {
    one.read(said)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The table in docs/operating.md. */
export const settingsTable = (): string =>
  [
    '| variable | flag | default | what it does |',
    '|---|---|---|---|',
    ...Object.values<Setting<unknown>>(settings).map(
      ({ name, flag, otherwise, about }) =>
        `| \`${name}\` | ${flag ? `\`--${flag}\`` : ''} | ${otherwise && `\`${otherwise}\``} | ${about} |`,
    ),
  ].join('\n')

/** Variables that look like settings and are none, each with what may have been meant. */
export function strangers(env: Env): string[] {
  const known = Object.values<Setting<unknown>>(settings).map(({ name }) => name)
  return Object.keys(env)
    .filter((name) => /^CORK_(?!TEST_)/.test(name) && !known.includes(name))
    .sort()
    .map((name) => {
      const near = nearest(name, known)
      return `${name} is no setting of this program${near ? `; did you mean ${near}?` : ', and is ignored'}`
    })
}
