import type { AnyOperation } from '../../kernel/operation.ts'
import { Client } from './client.ts'
import type { Command } from './command.ts'
import { jsonOf } from './derived.ts'
import { type Account, accountOf } from './logins.ts'
import type { Outside } from './outside.ts'
import { askOf } from './request.ts'
import { plain } from './table.ts'

/** What is told of oneself, as far as it is used here. */
interface Self {
  profile: { kind: 'person' | 'agent'; display_name: string; email?: string }
  teams: { name: string; role: string }[]
  boards: { key: string; title: string }[]
  more_boards: number
  credential: string
  server: { version: string }
}

const CREDENTIALS: Record<string, string> = {
  key: 'an API key',
  token: 'an MCP access token',
  agent: 'the token of an agent',
}

/** Who an account belongs to; a refusal where its token is no good. */
export async function selfAt(
  account: Account,
  catalog: readonly AnyOperation[],
  outside: Outside,
): Promise<Self> {
  const get = catalog.find(({ name }) => name === 'user_context.get')!
  return (await new Client(outside, account).send(askOf(get, {}))).data as Self
}

export const briefly = ({ profile, teams }: Self): string => {
  const roles = teams.map(({ name, role }) => `${role} of ${name}`).join(', ')
  const who = profile.kind === 'agent' ? `${profile.display_name}, an agent` : profile.display_name
  return plain(roles ? `${who} (${roles})` : who)
}

export const whoami = (catalog: readonly AnyOperation[], outside: Outside): Command => ({
  summary: 'Tell who you are signed in as, and where',
  example: 'cork whoami',
  flags: {},
  async run({ json }) {
    const account = accountOf(outside)
    const self = await selfAt(account, catalog, outside)
    if (json !== undefined) {
      outside.out(jsonOf({ url: account.url, ...self }, outside))
      return 0
    }
    const { boards, more_boards, credential, server, profile } = self
    const told = boards.map(({ key, title }) => `${key} (${title})`)
    const lines = [
      ['you', briefly(self)],
      ['e-mail', profile.email ?? ''],
      ['server', `${account.url}, Corkboard ${server.version}`],
      ['signed in', `with ${CREDENTIALS[credential] ?? credential}`],
      ['boards', [...told, ...(more_boards ? [`${more_boards} more`] : [])].join(', ')],
    ].filter(([, text]) => text)
    outside.out(lines.map(([name, text]) => `${name!.padEnd(9)}  ${plain(text)}`).join('\n'))
    return 0
  },
})
