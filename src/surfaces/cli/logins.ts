import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failed, WrongUsage } from './command.ts'
import { type Outside, settingsFolder } from './outside.ts'

export const USUAL = 'http://127.0.0.1:3210'

interface Logins {
  /** Which one commands talk to. */
  current?: string
  tokens: Record<string, string>
}

/** The server that commands talk to; without a token nobody signed in there. */
export interface Account {
  url: string
  token: string | undefined
}

/** What the environment says wins over what was saved. */
export function accountOf({ env }: Pick<Outside, 'env'>): Account {
  const { current, tokens } = readLogins(env)
  const url = env.CORK_URL ? addressOf(env.CORK_URL, 'CORK_URL: ') : (current ?? USUAL)
  return { url, token: env.CORK_TOKEN?.trim() || tokens[url] }
}

export function saveLogin(env: Outside['env'], { url, token }: { url: string; token: string }) {
  const { tokens } = readLogins(env)
  writeLogins(env, { current: url, tokens: { ...tokens, [url]: token } })
}

/** Forgets the token of a server; answers whether there was one. */
export function dropLogin(env: Outside['env'], url: string): boolean {
  const { current, tokens } = readLogins(env)
  if (!Object.hasOwn(tokens, url)) return false
  const { [url]: _, ...others } = tokens
  const next = current === url ? Object.keys(others)[0] : current
  writeLogins(env, { ...(next && { current: next }), tokens: others })
  return true
}

/** An address as somebody types it: `board.example.com`, `localhost:3210`. */
export function addressOf(text: string, from = ''): string {
  const near = /^(localhost|127\.|\[::1\])/.test(text)
  const url = URL.parse(/^\w+:\/\//.test(text) ? text : `${near ? 'http' : 'https'}://${text}`)
  if (url && /^https?:$/.test(url.protocol) && url.hostname && url.pathname === '/')
    return url.origin
  throw new WrongUsage(
    `${from}"${text}" is not the address of a server; it looks like https://board.example.com, without a path`,
  )
}

const fileOf = (env: Outside['env']) => join(settingsFolder(env), 'logins.json')

function readLogins(env: Outside['env']): Logins {
  const file = fileOf(env)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return { tokens: {} }
    throw unusable(file, error)
  }
  try {
    const { current, tokens } = JSON.parse(text)
    return { current, tokens: { ...tokens } }
  } catch {
    throw new Failed(`${file} is not what "cork login" wrote. Remove it, and sign in again.`)
  }
}

/** Written beside the old one and put in its place, so that it is whole at any moment. */
function writeLogins(env: Outside['env'], logins: Logins): void {
  const file = fileOf(env)
  const fresh = `${file}.${process.pid}`
  try {
    mkdirSync(settingsFolder(env), { recursive: true, mode: 0o700 })
    writeFileSync(fresh, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 })
    chmodSync(fresh, 0o600)
    renameSync(fresh, file)
  } catch (error) {
    throw unusable(file, error)
  }
}

const unusable = (file: string, error: unknown) =>
  new Failed(
    `${file} cannot be used: ${(error as Error).message}. Put that right, or set CORK_URL and CORK_TOKEN instead.`,
  )
