import {
  addUser,
  deactivate,
  joinTeamAs,
  listUsers,
  ownerOf,
  reactivate,
  setPassword,
} from '../features/accounts/index.ts'
import type { Role } from '../kernel/caller.ts'
import { type Command, DATA, type Flag, table, WrongUsage } from './command.ts'
import { printResult, withLocalContext } from './local-context.ts'
import { PASSWORD, passwordFrom } from './password.ts'

const ROLES: Role[] = ['owner', 'admin', 'member', 'guest']
const EMAIL: Flag = { type: 'string', hint: 'E', about: 'The e-mail of the person', required: true }
const TEAM: Flag = {
  type: 'string',
  hint: 'T',
  about: 'The team: its number, UUID or name',
  required: true,
}
const ROLE: Flag = {
  type: 'string',
  hint: 'R',
  about: `What they may do in it: ${ROLES.join(', ')}`,
  choices: ROLES,
  required: true,
}

export const add: Command = {
  summary: 'Add a person to a team, with an API key and an access token',
  about:
    'The key and the token are shown this once. Without a password they work with those; a browser cannot sign in.',
  example: 'cork user add --email ben@example.com --name Ben --team Harbour --role member',
  flags: {
    email: EMAIL,
    name: { type: 'string', hint: 'N', about: 'Their name', required: true },
    team: TEAM,
    role: ROLE,
    'password-stdin': PASSWORD,
    json: { type: 'boolean', about: 'Print {user_id, api_key, mcp_token}' },
    data: DATA,
  },
  async run(values) {
    const password = await passwordFrom(values)
    const { email, name, team, role } = values as Record<string, string>
    const user = { email: email!, name: name!, team: team!, role: role as Role }
    const created = await withLocalContext(values, (context) =>
      addUser(context, { ...user, ...(password !== undefined && { password }) }),
    )
    return printResult(
      values,
      created,
      () => `${name} is a person of ${team} now (user ${created.user_id}, ${role}).

  API key           ${created.api_key}
  MCP access token  ${created.mcp_token}

Keep both now: they are not shown again.`,
    )
  },
}

export const list: Command = {
  summary: 'Everybody who has an account, with their teams',
  example: 'cork user list',
  flags: { data: DATA },
  async run(values) {
    const users = await withLocalContext(values, ({ store }) => store.read(listUsers))
    const rows = users.map(({ user_id, email, name, teams, has_password, deactivated_at }) => [
      user_id,
      email,
      name,
      teams.map(({ team, role }) => `${team} (${role})`).join(', '),
      has_password ? 'yes' : 'no',
      deactivated_at ? 'no' : 'yes',
    ])
    return printResult(values, users, () =>
      table(rows, ['id', 'email', 'name', 'teams', 'password', 'active']),
    )
  },
}

export const password: Command = {
  summary: 'Set somebody’s password, who then signs in again everywhere',
  about: 'For an owner made without one, or somebody who forgot theirs.',
  example: 'cork user password --email ada@example.com --password-stdin < secret.txt',
  flags: {
    email: EMAIL,
    'password-stdin': { ...PASSWORD, required: true },
    'revoke-others': {
      type: 'boolean',
      about: 'Also end their keys, access tokens, calendar feeds and the agent tokens they created',
    },
    data: DATA,
  },
  async run(values) {
    const secret = await passwordFrom(values)
    if (secret === undefined) throw new WrongUsage('Give the password with --password-stdin')
    const others = values['revoke-others'] !== undefined
    const result = await withLocalContext(values, (context) =>
      setPassword(context, values.email!, secret, others),
    )
    return printResult(
      values,
      result,
      () =>
        `${result.email} signs in with the new password from now on; every session was ended${
          others ? `, and ${result.revoked} keys, tokens and calendar feeds` : ''
        }.`,
    )
  },
}

export const deactivateCommand: Command = {
  summary: 'Lock somebody out: sessions, keys, tokens and calendar feeds end, their agents stop',
  about: 'What they wrote stays. "cork user reactivate" lets them sign in again.',
  example: 'cork user deactivate --email ben@example.com',
  flags: { email: EMAIL, data: DATA },
  async run(values) {
    const result = await withLocalContext(values, (context) => deactivate(context, values.email!))
    return printResult(
      values,
      result,
      () =>
        `${values.email} is deactivated: ${result.sessions} sessions and ${result.revoked} keys, tokens and calendar feeds were ended.`,
    )
  },
}

export const reactivateCommand: Command = {
  summary: 'Let somebody sign in again who was deactivated',
  about: 'Keys and tokens stay revoked; their agents are enabled one by one.',
  example: 'cork user reactivate --email ben@example.com',
  flags: { email: EMAIL, data: DATA },
  async run(values) {
    const result = await withLocalContext(values, (context) => reactivate(context, values.email!))
    return printResult(values, result, () => `${values.email} can sign in again.`)
  },
}

export const role: Command = {
  summary: 'Add somebody with an account to a team, or change their role in it',
  example: 'cork user role --email ben@example.com --team Harbour --role admin',
  flags: { email: EMAIL, team: TEAM, role: ROLE, data: DATA },
  async run(values) {
    const newRole = values.role as Role
    const result = await withLocalContext(values, async (context) => {
      const { user_id, team_id, was } = await joinTeamAs(
        context,
        values.email!,
        values.team!,
        newRole,
      )
      const owner = await context.store.read((tx) => ownerOf(tx, team_id))
      if (was !== null && was !== newRole)
        await context.as(owner, 'teams.set_role', { team_id, user_id, role: newRole })
      return { user_id, team_id, role: newRole, was }
    })
    const before = result.was === null ? 'joined the team' : `was ${result.was}`
    return printResult(
      values,
      result,
      () => `${values.email} is ${newRole} of ${values.team} (${before}).`,
    )
  },
}
