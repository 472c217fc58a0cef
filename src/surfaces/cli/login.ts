import type { AnyOperation } from '../../kernel/operation.ts'
import { Refused } from './client.ts'
import { type Command, Failed, WrongUsage } from './command.ts'
import { jsonOf } from './derived.ts'
import { accountOf, addressOf, dropLogin, saveLogin } from './logins.ts'
import type { Outside } from './outside.ts'
import { briefly, selfAt } from './whoami.ts'

const URL_ARG = { name: 'url', about: 'Address of the server, such as https://board.example.com' }

export const login = (catalog: readonly AnyOperation[], outside: Outside): Command => ({
  summary: 'Sign in at a server, and remember it for the commands that follow',
  about:
    'Asks for an API key, which you make in the settings of the web page. It is kept in your settings folder, readable by you alone. CORK_URL and CORK_TOKEN win over what is kept.',
  example: 'cork login http://127.0.0.1:3210',
  args: [URL_ARG],
  flags: {
    token: {
      type: 'string',
      hint: 'KEY|-',
      about: 'The key, or - to read it from standard input, where nobody else sees it',
    },
  },
  async run({ url: said, token: given, json }) {
    const url = said === undefined ? await addressFrom(outside) : addressOf(said)
    const token = await tokenFrom(url, given, outside)
    const self = await selfAt({ url, token }, catalog, outside).catch((error) => {
      throw error instanceof Refused && error.status === 401
        ? new Failed(`${url} does not accept this key. Make one at ${settings(url)}`)
        : error
    })
    saveLogin(outside.env, { url, token })
    if (json !== undefined) outside.out(jsonOf({ url, name: self.profile.display_name }, outside))
    else outside.out(`Signed in at ${url} as ${briefly(self)}`)
    const { CORK_URL, CORK_TOKEN } = outside.env
    if (CORK_URL || CORK_TOKEN)
      outside.err('Warning: CORK_URL or CORK_TOKEN is set, and wins over this')
    return 0
  },
})

export const logout = (outside: Outside): Command => ({
  summary: 'Forget the key of a server',
  about: 'The key itself stays good; end it with "cork keys revoke" or in the settings.',
  example: 'cork logout',
  args: [URL_ARG],
  flags: {},
  async run({ url: said, json }) {
    const url = said === undefined ? accountOf(outside).url : addressOf(said)
    const dropped = dropLogin(outside.env, url)
    if (!dropped) throw new Failed(`No key of ${url} is kept here`)
    outside.out(json === undefined ? `Signed out at ${url}` : jsonOf({ url }, outside))
    return 0
  },
})

async function addressFrom(outside: Outside): Promise<string> {
  const { url } = accountOf(outside)
  const typed = await outside.ask?.(`Address of the server [${url}]: `)
  return typed ? addressOf(typed) : url
}

async function tokenFrom(url: string, given: string | undefined, outside: Outside) {
  if (given === undefined && !outside.ask)
    throw new WrongUsage(
      'There is no terminal to ask for the key: give it to "cork login --token -" on standard input',
    )
  const question = `API key, made at ${settings(url)} (it stays hidden): `
  const token =
    given === undefined
      ? await outside.ask!(question, true)
      : given === '-'
        ? (await outside.input()).trim()
        : given
  if (!token) throw new WrongUsage('The key is empty, so nothing was changed')
  // What no header can carry was pasted wrongly, and would fail without a word of why.
  if (/[^\x21-\x7e]/.test(token))
    throw new WrongUsage('A key has no blanks or special signs in it: paste it whole, by itself')
  return token
}

const settings = (url: string) => `${url}/settings/api-keys`
