import { noDataFolder, openDataFolder } from '../config/data-folder.ts'
import { readConfig } from '../config/index.ts'
import { setUpFromCli } from '../features/identity/accounts/model/index.ts'
import { openKey } from '../features/identity/credentials/model/index.ts'
import { createServer } from '../server/app.ts'
import { openStore } from '../store/open.ts'
import { type Command, DATA, type Values } from './command.ts'
import { PASSWORD, passwordFrom } from './password.ts'

export const init: Command = {
  summary: 'Set up an empty data folder without a browser: owner, team, API key and token',
  about: 'The key and token are shown only once. Fails if the database is in use.',
  example: 'cork init --email ada@example.com --name Ada --team Harbour',
  flags: {
    email: {
      type: 'string',
      hint: 'E',
      about: 'Email that the owner signs in with',
      required: true,
    },
    name: { type: 'string', hint: 'N', about: 'Name of the owner', required: true },
    team: { type: 'string', hint: 'T', about: 'Name of the first team', required: true },
    'password-stdin': PASSWORD,
    json: { type: 'boolean', about: 'Print {user_id, team_id, api_key, mcp_token}' },
    data: DATA,
  },
  async run(values) {
    const config = readConfig(process.env, { data: values.data })
    const password = await passwordFrom(values)
    const folder = config.databaseUrl ? noDataFolder : openDataFolder(config.data)
    try {
      const clock = () => new Date()
      const store = await openStore({ path: folder.database, url: config.databaseUrl }, clock)
      try {
        const key = await openKey(config, store, clock)
        const server = createServer({ config, key })
        const { email, name, team } = values as Record<string, string>
        const founder = { email: email!, name: name!, team: team!, ...(password && { password }) }
        printCredentials(await setUpFromCli({ store, clock, server, key }, founder), values)
      } finally {
        await store.close()
      }
    } finally {
      folder.release()
    }
    return 0
  },
}

function printCredentials(created: Awaited<ReturnType<typeof setUpFromCli>>, values: Values) {
  if (values.json !== undefined) return console.log(JSON.stringify(created))
  console.log(`Created team ${values.team}, owned by ${values.name}.

  API key           ${created.api_key}
  MCP access token  ${created.mcp_token}

Save both now: they are not shown again. Start the server with "cork serve".${
    values['password-stdin'] === undefined
      ? '\nNo password is set, so you cannot sign in with a browser; set one with "cork user password".'
      : ''
  }`)
}
