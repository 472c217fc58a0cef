import type { IssuerSettings } from '../kernel/issuers.ts'
import { closestWord } from '../kernel/validate.ts'
import { checkOnlyIssuers, furtherIssuerSettings, readIssuers } from './issuers.ts'
import { aiOf, bucketOf, checkPrimary, embeddingsOf, type RawValue } from './parse.ts'
import type { Setting } from './setting.ts'
import { settings } from './variables.ts'

export { aiOf, BadConfig, bucketOf, embeddingsOf } from './parse.ts'

type Env = Record<string, string | undefined>
type Flags = Record<string, string | undefined>

type Settings = typeof settings
/** Every setting, read once when the process starts. */
export type Config = { [K in keyof Settings]: ReturnType<Settings[K]['parse']> } & {
  /** All configured OpenID Connect issuers, also those with a number. */
  issuers: readonly IssuerSettings[]
}

export function readConfig(env: Env, flags: Flags = {}): Config {
  const entries = Object.entries<Setting<unknown>>(settings)
  const values = Object.fromEntries(
    entries.map(([key, setting]) => [key, setting.parse(rawValueOf(setting, env, flags))]),
  )
  const config = { ...values, issuers: readIssuers(env) } as unknown as Config
  // These throw when only some of the variables that belong together are set. Checking here reports
  // that at the start, and not at the first use.
  checkPrimary(config)
  bucketOf(config)
  embeddingsOf(config)
  aiOf(config)
  checkOnlyIssuers(config.oidcOnly, config.issuers)
  return config
}

function rawValueOf(
  { name, flag, defaultText }: Setting<unknown>,
  env: Env,
  flags: Flags,
): RawValue {
  const flagValue = flag === undefined ? undefined : flags[flag]
  if (flagValue !== undefined) return { name: `--${flag}`, text: flagValue }
  return { name, text: env[name] || defaultText }
}

/** A setting with its current value and where that comes from, for the operator. */
export interface ShownSetting {
  name: string
  value: string | null
  origin: 'flag' | 'environment' | 'default'
  about: string
  /** Why the value is not valid. */
  problem?: string
}

export function describeConfig(env: Env, flags: Flags = {}): ShownSetting[] {
  return settingsIn(env).map((setting) => {
    const raw = rawValueOf(setting, env, flags)
    const origin =
      raw.name !== setting.name ? 'flag' : env[setting.name] ? ('environment' as const) : 'default'
    const problem = problemOf(setting, raw)
    const { name, about, mask } = setting
    const value = raw.text ? (mask?.(raw.text) ?? raw.text) : null
    return { name, value, origin, about, ...(problem && { problem }) }
  })
}

/** All settings, with those of further issuers that have a variable. */
const settingsIn = (env: Env): Setting<unknown>[] => [
  ...Object.values<Setting<unknown>>(settings),
  ...furtherIssuerSettings(env),
]

function problemOf(setting: Setting<unknown>, raw: RawValue): string | undefined {
  try {
    setting.parse(raw)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * One message for each `CORK_` variable that is no setting, with the closest name if there is one.
 */
export function unknownVariables(env: Env): string[] {
  const knownNames = settingsIn(env).map(({ name }) => name)
  return Object.keys(env)
    .filter((name) => /^CORK_(?!TEST_)/.test(name) && !knownNames.includes(name))
    .sort()
    .map((name) => {
      const suggestion = closestWord(name, knownNames)
      return `${name} is not a setting of this program${suggestion ? `; did you mean ${suggestion}?` : ', and is ignored'}`
    })
}
