import type { OperationDescription } from '../../kernel/operation.ts'
import { Client } from './client.ts'
import type { Command } from './command.ts'
import type { CommandIO } from './io.ts'
import { type Account, accountOf } from './logins.ts'
import { jsonOf } from './operation-command.ts'
import { requestFor } from './request.ts'
import { plain } from './table.ts'

/** The part of the user context that is used here. */
export interface Self {
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
  agent: 'an agent token',
  access: 'your browser',
}

/** Fetches the user context of an account. Throws if its token is invalid. */
export async function fetchSelf(
  account: Account,
  catalog: readonly OperationDescription[],
  io: CommandIO,
): Promise<Self> {
  const get = catalog.find(({ name }) => name === 'user_context.get')!
  return (await new Client(io, account).send(requestFor(get, {}))).data as Self
}

export const describeSelf = ({ profile, teams }: Self): string => {
  const roles = teams.map(({ name, role }) => `${role} of ${name}`).join(', ')
  const caller =
    profile.kind === 'agent' ? `${profile.display_name}, an agent` : profile.display_name
  return plain(roles ? `${caller} (${roles})` : caller)
}

export const whoami = (catalog: readonly OperationDescription[], io: CommandIO): Command => ({
  summary: 'Show who you are signed in as, and where',
  example: 'cork whoami',
  flags: {},
  async run({ json }) {
    const account = accountOf(io)
    const self = await fetchSelf(account, catalog, io)
    if (json !== undefined) {
      io.out(jsonOf({ url: account.url, ...self }, io))
      return 0
    }
    const { boards, more_boards, credential, server, profile } = self
    const boardNames = boards.map(({ key, title }) => `${key} (${title})`)
    const lines = [
      ['you', describeSelf(self)],
      ['email', profile.email ?? ''],
      ['server', `${account.url}, Corkboard ${server.version}`],
      ['signed in', `with ${CREDENTIALS[credential] ?? credential}`],
      ['boards', [...boardNames, ...(more_boards ? [`${more_boards} more`] : [])].join(', ')],
    ].filter(([, text]) => text)
    io.out(lines.map(([name, text]) => `${name!.padEnd(9)}  ${plain(text)}`).join('\n'))
    return 0
  },
})
