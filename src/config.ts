import { nearest } from './kernel/validate.ts'
import { aiOf, bucketOf, embeddingsOf, type Said } from './said.ts'
import type { Setting } from './setting.ts'
import { settings } from './settings.ts'

export { aiOf, BadConfig, bucketOf, embeddingsOf } from './said.ts'

type Env = Record<string, string | undefined>
type Flags = Record<string, string | undefined>

type Settings = typeof settings
/** Every setting, read once when the process starts. */
export type Config = { [K in keyof Settings]: ReturnType<Settings[K]['read']> }

export function readConfig(env: Env, flags: Flags = {}): Config {
  const entries = Object.entries<Setting<unknown>>(settings)
  const config = Object.fromEntries(
    entries.map(([key, one]) => [key, one.read(saidOf(one, env, flags))]),
  ) as Config
  // Half a bucket, endpoint or model is known of before anybody needs it.
  bucketOf(config)
  embeddingsOf(config)
  aiOf(config)
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
