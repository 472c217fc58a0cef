import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, UsageError } from './command.ts'
import { type CommandIO, settingsFolder } from './io.ts'
import type { OAuthLogin } from './oauth.ts'

export const DEFAULT_URL = 'http://127.0.0.1:3210'

type Renewal = Omit<OAuthLogin, 'token'>

interface Logins {
  /** The address of the server that commands talk to. */
  current?: string
  tokens: Record<string, string>
  /** What renews the tokens of servers where somebody signed in with a browser. */
  renewals: Record<string, Renewal>
  /** The tokens of agents, by server and name. CORK_AGENT chooses one. */
  agents: Record<string, Record<string, string>>
}

/** The server that commands talk to, and the token, if somebody has signed in there. */
export interface Account {
  url: string
  token: string | undefined
  /** What renews the token, if somebody signed in with a browser. */
  renewal?: Renewal | undefined
}

/** The current account. Environment variables take precedence over saved logins. */
export function accountOf({ env }: Pick<CommandIO, 'env'>): Account {
  const { current, tokens, renewals, agents } = readLogins(env)
  const url = env.CORK_URL ? parseAddress(env.CORK_URL, 'CORK_URL: ') : (current ?? DEFAULT_URL)
  const saved = env.CORK_AGENT ? ownValue(agents[url] ?? {}, env.CORK_AGENT) : tokens[url]
  const given = env.CORK_TOKEN?.trim()
  const renewal = given || env.CORK_AGENT ? undefined : renewals[url]
  return { url, token: given || saved, ...(renewal && { renewal }) }
}

const ownValue = (values: Record<string, string>, name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined

export function saveAgentLogin(
  env: CommandIO['env'],
  { url, name, token }: { url: string; name: string; token: string },
) {
  const { agents, ...logins } = readLogins(env)
  writeLogins(env, { ...logins, agents: { ...agents, [url]: { ...agents[url], [name]: token } } })
}

/** Whether somebody has signed in to a server on this machine. */
export const hasLogin = (env: CommandIO['env']) => readLogins(env).current !== undefined

export function saveLogin(
  env: CommandIO['env'],
  { url, token, renewal }: { url: string; token: string; renewal?: Renewal | undefined },
) {
  const { tokens, renewals, agents } = readLogins(env)
  const { [url]: _, ...others } = renewals
  writeLogins(env, {
    current: url,
    tokens: { ...tokens, [url]: token },
    renewals: { ...others, ...(renewal && { [url]: renewal }) },
    agents,
  })
}

/** Saves a renewed token, unless somebody signed out of the server meanwhile. */
export function saveRenewed(
  env: CommandIO['env'],
  url: string,
  { token, refresh_token, expires_at }: OAuthLogin,
) {
  const { current, tokens, renewals, agents } = readLogins(env)
  if (!Object.hasOwn(renewals, url)) return
  const renewal = { refresh_token, expires_at }
  writeLogins(env, {
    ...(current !== undefined && { current }),
    tokens: { ...tokens, [url]: token },
    renewals: { ...renewals, [url]: renewal },
    agents,
  })
}

/** Removes the token of a server. Returns whether there was one. */
export function removeLogin(env: CommandIO['env'], url: string): boolean {
  const { current, tokens, renewals, agents } = readLogins(env)
  if (!Object.hasOwn(tokens, url)) return false
  const { [url]: _, ...others } = tokens
  const { [url]: __, ...otherRenewals } = renewals
  const next = current === url ? Object.keys(others)[0] : current
  writeLogins(env, {
    ...(next && { current: next }),
    tokens: others,
    renewals: otherRenewals,
    agents,
  })
  return true
}

/** Parses an address as people type it: `board.example.com/team`, `localhost:3210`. */
export function parseAddress(text: string, from = ''): string {
  const isLocal = /^(localhost|127\.|\[::1\])/.test(text)
  const url = URL.parse(/^\w+:\/\//.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`)
  if (url && /^https?:$/.test(url.protocol) && url.hostname && !url.search && !url.hash)
    return url.origin + url.pathname.replace(/\/+$/, '')
  throw new UsageError(
    `${from}"${text}" is not a server address. Use one like https://board.example.com or https://example.com/board`,
  )
}

const fileOf = (env: CommandIO['env']) => join(settingsFolder(env), 'logins.json')

function readLogins(env: CommandIO['env']): Logins {
  const file = fileOf(env)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT')
      return { tokens: {}, renewals: {}, agents: {} }
    throw fileError(file, error)
  }
  try {
    const { current, tokens, renewals, agents } = JSON.parse(text)
    const saved = { tokens: { ...tokens }, renewals: { ...renewals }, agents: { ...agents } }
    return { current, ...saved }
  } catch {
    throw new CommandError(`${file} was not written by "cork login". Delete it and sign in again.`)
  }
}

/** Writes a temporary file and renames it, so that the file is always complete. */
function writeLogins(env: CommandIO['env'], { renewals, agents, ...others }: Logins): void {
  const logins = {
    ...others,
    ...(Object.keys(renewals).length && { renewals }),
    ...(Object.keys(agents).length && { agents }),
  }
  const file = fileOf(env)
  const temporary = `${file}.${process.pid}`
  try {
    mkdirSync(settingsFolder(env), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 })
    chmodSync(temporary, 0o600)
    renameSync(temporary, file)
  } catch (error) {
    throw fileError(file, error)
  }
}

const fileError = (file: string, error: unknown) =>
  new CommandError(
    `${file} cannot be used: ${(error as Error).message}. Fix that, or set CORK_URL and CORK_TOKEN instead.`,
  )
