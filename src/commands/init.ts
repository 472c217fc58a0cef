import { serverOf } from '../app.ts'
import { readConfig } from '../config.ts'
import { openData } from '../data.ts'
import { prepare } from '../features/accounts/index.ts'
import { openKey } from '../features/credentials/index.ts'
import { openSqlite } from '../store/sqlite.ts'
import { type Command, DATA, type Values, WrongUsage } from './command.ts'

export const init: Command = {
  summary: 'Prepare an empty data folder without a browser: its owner, a team, a key and a token',
  about: 'The key and the token are shown this once. A database in use is refused.',
  flags: {
    email: {
      type: 'string',
      hint: 'E',
      about: 'The e-mail the owner signs in with',
      required: true,
    },
    name: { type: 'string', hint: 'N', about: 'The owner’s name', required: true },
    team: { type: 'string', hint: 'T', about: 'The name of the first team', required: true },
    'password-stdin': { type: 'boolean', about: 'Read the owner’s password from standard input' },
    json: { type: 'boolean', about: 'Print {user_id, team_id, api_key, mcp_token}' },
    data: DATA,
  },
  async run(values) {
    const config = readConfig(process.env, { data: values.data })
    const password = await passwordOf(values)
    const folder = openData(config.data)
    try {
      const key = openKey(config.data)
      const clock = () => new Date()
      const store = openSqlite(folder.database, clock)
      try {
        const server = serverOf({ config, key })
        const { email, name, team } = values as Record<string, string>
        const founder = { email: email!, name: name!, team: team!, ...(password && { password }) }
        print(await prepare({ store, clock, server, key }, founder), values)
      } finally {
        await store.close()
      }
    } finally {
      folder.release()
    }
    return 0
  },
}

async function passwordOf(values: Values): Promise<string | undefined> {
  if (values['password-stdin'] === undefined) return undefined
  const text = (await Bun.stdin.text()).replace(/\r?\n$/, '')
  if (!text) throw new WrongUsage('--password-stdin was given, but standard input is empty')
  return text
}

function print(made: Awaited<ReturnType<typeof prepare>>, values: Values) {
  if (values.json !== undefined) return console.log(JSON.stringify(made))
  console.log(`${values.team} is ready, and ${values.name} owns it.

  API key           ${made.api_key}
  MCP access token  ${made.mcp_token}

Keep both now: they are not shown again. Start the server with "cork serve".${
    values['password-stdin'] === undefined
      ? '\nNo password was set, so a browser cannot sign in. On an empty folder --password-stdin sets one.'
      : ''
  }`)
}
