import type { OperationDescription } from '../../kernel/operation.ts'
import { RefusedError } from './client.ts'
import { type Command, CommandError, UsageError } from './command.ts'
import type { CommandIO } from './io.ts'
import {
  type Account,
  accountOf,
  parseAddress,
  removeLogin,
  saveAgentLogin,
  saveLogin,
} from './logins.ts'
import { loginWithBrowser, revokeLogin } from './oauth.ts'
import { jsonOf } from './operation-command.ts'
import { describeSelf, fetchSelf, type Self } from './whoami.ts'

const URL_ARG = { name: 'url', about: 'Address of the server, such as https://board.example.com' }

export const login = (catalog: readonly OperationDescription[], io: CommandIO): Command => ({
  summary: 'Sign in to a server and use it for later commands',
  about:
    'Opens your browser, or prints the address to open on any machine, and waits until you allow it there. With --token it takes an API key from the settings of the web app instead. The login is saved in your settings folder, readable only by you. CORK_URL and CORK_TOKEN take precedence over it.',
  example: 'cork login http://127.0.0.1:3210',
  args: [URL_ARG],
  flags: {
    token: {
      type: 'string',
      hint: 'KEY|-',
      about: 'The key, or - to read it from standard input, hidden from other users',
    },
    agent: {
      type: 'boolean',
      about: 'Save the token of an agent beside your key; CORK_AGENT=<name> then uses it',
    },
  },
  async run({ url: address, token: tokenFlag, agent, json }) {
    const url = address === undefined ? await askAddress(io) : parseAddress(address)
    const { token, renewal } = await newLogin(url, tokenFlag, agent !== undefined, io)
    const self = await fetchSelf({ url, token }, catalog, io).catch((error) => {
      throw error instanceof RefusedError && error.status === 401
        ? new CommandError(`${url} does not accept this key. Create one at ${keySettings(url)}`)
        : error
    })
    save(io, { url, token, renewal }, self, agent !== undefined)
    if (json !== undefined) io.out(jsonOf({ url, name: self.profile.display_name }, io))
    else io.out(`Signed in to ${url} as ${describeSelf(self)}`)
    const { CORK_URL, CORK_TOKEN } = io.env
    if (CORK_URL || CORK_TOKEN)
      io.err('Warning: CORK_URL or CORK_TOKEN is set and takes precedence')
    return 0
  },
})

function save(
  { env }: CommandIO,
  login: { url: string; token: string; renewal: Account['renewal'] },
  { profile: { kind, display_name: name } }: Self,
  asAgent: boolean,
): void {
  if (asAgent && kind !== 'agent')
    throw new CommandError(`This is the key of ${name}, a person. Leave out --agent to sign in`)
  if (asAgent) saveAgentLogin(env, { url: login.url, token: login.token, name })
  else saveLogin(env, login)
}

export const logout = (io: CommandIO): Command => ({
  summary: 'Sign out and delete the saved login of a server',
  about:
    'A sign-in with the browser is revoked. An API key stays valid; revoke it with "cork keys revoke" or in the settings.',
  example: 'cork logout',
  args: [URL_ARG],
  flags: {},
  async run({ url: address, json }) {
    const url = address === undefined ? accountOf(io).url : parseAddress(address)
    const { renewal } = accountOf({ env: { ...io.env, ...OWN_LOGIN, CORK_URL: url } })
    const wasKnown = removeLogin(io.env, url)
    if (renewal && !(await revokeLogin(url, renewal.refresh_token, io)))
      io.err(
        `Warning: ${url} could not revoke the login. Revoke it in the settings: ${url}/settings/apps`,
      )
    if (!wasKnown) throw new CommandError(`No key is saved for ${url}`)
    io.out(json === undefined ? `Signed out of ${url}` : jsonOf({ url }, io))
    return 0
  },
})

async function askAddress(io: CommandIO): Promise<string> {
  const { url } = accountOf(io)
  const typed = await io.ask?.(`Address of the server [${url}]: `)
  return typed ? parseAddress(typed) : url
}

/** Only what "cork login" has saved. */
const OWN_LOGIN = { CORK_TOKEN: undefined, CORK_AGENT: undefined }

/** A key that the person has, or a new login with their browser. */
async function newLogin(
  url: string,
  tokenFlag: string | undefined,
  asAgent: boolean,
  io: CommandIO,
): Promise<Pick<Account, 'renewal'> & { token: string }> {
  if (tokenFlag !== undefined) return { token: await readToken(tokenFlag, io) }
  if (asAgent)
    throw new UsageError('--agent needs the token of the agent: "cork login --agent --token -"')
  const login = await loginWithBrowser(url, io)
  if (!login)
    throw new CommandError(
      `${url} has no sign-in for programs. Create a key at ${keySettings(url)} and pass it to "cork login ${url} --token -"`,
    )
  const { token, refresh_token, expires_at } = login
  return { token, renewal: { refresh_token, expires_at } }
}

async function readToken(tokenFlag: string, io: CommandIO): Promise<string> {
  const token = tokenFlag === '-' ? (await io.input()).trim() : tokenFlag
  if (!token) throw new UsageError('The key is empty. Nothing was changed')
  // Characters that a header cannot carry come from pasting wrongly, and fail without a clear
  // error.
  if (/[^\x21-\x7e]/.test(token))
    throw new UsageError('A key has no spaces or special characters: paste only the whole key')
  return token
}

const keySettings = (url: string) => `${url}/settings/api-keys`
