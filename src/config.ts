import { nearest } from './kernel/validate.ts'

export class BadConfig extends Error {}

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

interface Said {
  /** Where it was said, as whoever said it would call it. */
  name: string
  text: string
}

const setting = <T>(declared: Setting<T>) => declared

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const hidden = (text: string) => `(${text.length} characters)`
const optional = ({ text }: Said) => text || undefined
const rate = (said: Said) => whole(said, 1e9)

/** Every setting there is: what is read at the start, and what `cork config` and the docs tell. */
const settings = {
  data: setting({
    name: 'CORK_DATA',
    flag: 'data',
    otherwise: './data',
    about: 'The data folder: database, signing key, backups',
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
  return Object.fromEntries(
    entries.map(([key, one]) => [key, one.read(saidOf(one, env, flags))]),
  ) as Config
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

function postgres({ name, text }: Said): string | undefined {
  if (text && !/^postgres(ql)?:\/\//.test(text))
    throw new BadConfig(
      `${name} must begin with postgres:// or postgresql://. Leave it out to keep the data in the data folder.`,
    )
  return text || undefined
}

function withoutPassword(text: string): string {
  const url = URL.parse(text)
  if (!url) return hidden(text)
  if (url.password) url.password = '***'
  return url.href
}

function filled({ name, text }: Said): string {
  if (!text.trim()) throw new BadConfig(`${name} must not be empty`)
  return text
}

function whole({ name, text }: Said, most: number): number {
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw new BadConfig(`${name} must be a whole number from 0 to ${most}, not "${text}"`)
  return Number(text)
}

function address({ name, text }: Said): string {
  const url = URL.parse(text)
  const plain = url && /^https?:$/.test(url.protocol) && url.href.startsWith(url.origin)
  if (text && (!plain || url.search || url.hash || url.pathname !== '/'))
    throw new BadConfig(
      `${name} must be an address like https://board.example.com, without a path, not "${text}"`,
    )
  return url?.origin ?? ''
}

function level({ name, text }: Said): string {
  if (!LEVELS.includes(text))
    throw new BadConfig(`${name} must be one of ${LEVELS.join(', ')}, not "${text}"`)
  return text
}
