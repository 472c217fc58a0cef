import type { IssuerSettings } from '../kernel/issuers.ts'
import { BadConfig, type RawValue } from './parse.ts'
import type { Setting } from './setting.ts'
import { settings } from './variables.ts'

type Env = Record<string, string | undefined>

const PARTS = {
  issuer: settings.oidcIssuer,
  clientId: settings.oidcClientId,
  clientSecret: settings.oidcClientSecret,
  name: settings.oidcName,
  scopes: settings.oidcScopes,
  groupsClaim: settings.oidcGroupsClaim,
  roles: settings.oidcRoles,
  newPeople: settings.oidcNewPeople,
  trustsEmail: settings.oidcTrustEmail,
} as const

type Parts = { [K in keyof typeof PARTS]: ReturnType<(typeof PARTS)[K]['parse']> }

const PREFIX = 'CORK_OIDC_'
const FURTHER_NUMBERS = [2, 3, 4, 5, 6, 7, 8, 9]

/** The first issuer has names without a number, and the third one names like CORK_OIDC_3_NAME. */
const nameOf = (name: string, number: number) =>
  number === 1 ? name : name.replace(PREFIX, `${PREFIX}${number}_`)

const numbered = (setting: Setting<unknown>, number: number): Setting<unknown> => ({
  ...setting,
  name: nameOf(setting.name, number),
  about: `${setting.about} (issuer ${number})`,
})

/** The settings of further issuers, for each number that has a variable. */
export const furtherIssuerSettings = (env: Env): Setting<unknown>[] =>
  FURTHER_NUMBERS.filter((number) => isConfigured(env, number)).flatMap((number) =>
    Object.values<Setting<unknown>>(PARTS).map((setting) => numbered(setting, number)),
  )

const isConfigured = (env: Env, number: number) =>
  Object.values(PARTS).some(({ name }) => env[nameOf(name, number)])

/** All configured issuers. Throws if one of them lacks its address or its client ID. */
export function readIssuers(env: Env): IssuerSettings[] {
  const numbers = [1, ...FURTHER_NUMBERS].filter((number) => isConfigured(env, number))
  return numbers.map((number) => readIssuer(env, number))
}

function readIssuer(env: Env, number: number): IssuerSettings {
  const entries = Object.entries<Setting<unknown>>(PARTS)
  const raw = ({ name, defaultText }: Setting<unknown>): RawValue => {
    const variable = nameOf(name, number)
    return { name: variable, text: env[variable] || defaultText }
  }
  const parts = Object.fromEntries(
    entries.map(([key, setting]) => [key, setting.parse(raw(setting))]),
  ) as Parts
  const { issuer, clientId } = parts
  const missing = [
    !issuer && nameOf(settings.oidcIssuer.name, number),
    !clientId && nameOf(settings.oidcClientId.name, number),
  ]
  if (!issuer || !clientId)
    throw new BadConfig(
      `Sign-in through an issuer also needs ${missing.filter(Boolean).join(' and ')}. Omit all of ${nameOf(PREFIX, number)}… to sign in without it.`,
    )
  return { ...parts, number, issuer, clientId, name: parts.name ?? new URL(issuer).hostname }
}

/** Throws if nobody could sign in. */
export function checkOnlyIssuers(isOnly: boolean, issuers: readonly IssuerSettings[]): void {
  if (isOnly && !issuers.length)
    throw new BadConfig(
      'CORK_OIDC_ONLY also needs CORK_OIDC_ISSUER and CORK_OIDC_CLIENT_ID, because it turns passwords off.',
    )
}
