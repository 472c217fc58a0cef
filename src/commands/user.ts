import {
  addUser,
  createRecoveryLink,
  deactivate,
  eraseUser,
  joinTeamAs,
  listUsers,
  ownerOf,
  reactivate,
  resetFactors,
  setPassword,
} from '../features/identity/accounts/model/index.ts'
import type { Role } from '../kernel/caller.ts'
import { type Command, DATA, type Flag, table, WrongUsage } from './command.ts'
import { printResult, withLocalContext } from './local-context.ts'
import { PASSWORD, passwordFrom } from './password.ts'

const ROLES: Role[] = ['owner', 'admin', 'member', 'guest']
const EMAIL: Flag = { type: 'string', hint: 'E', about: 'Email of the person', required: true }
const TEAM: Flag = {
  type: 'string',
  hint: 'T',
  about: 'Team: number, UUID or name',
  required: true,
}
const ROLE: Flag = {
  type: 'string',
  hint: 'R',
  about: `Role in the team: ${ROLES.join(', ')}`,
  choices: ROLES,
  required: true,
}

export const add: Command = {
  summary: 'Add a person to a team, with an API key and an access token',
  about:
    'The key and token are shown only once. Without a password, the person cannot sign in with a browser.',
  example: 'cork user add --email ben@example.com --name Ben --team Harbour --role member',
  flags: {
    email: EMAIL,
    name: { type: 'string', hint: 'N', about: 'Name of the person', required: true },
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
      () => `Added ${name} to ${team} as ${role} (user ${created.user_id}).

  API key           ${created.api_key}
  MCP access token  ${created.mcp_token}

Save both now: they are not shown again.`,
    )
  },
}

export const list: Command = {
  summary: 'List all people with an account and their teams',
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
  summary: 'Set a password, which signs the person out everywhere',
  about: 'For an owner created without a password, or someone who forgot theirs.',
  example: 'cork user password --email ada@example.com --password-stdin < secret.txt',
  flags: {
    email: EMAIL,
    'password-stdin': { ...PASSWORD, required: true },
    'revoke-others': {
      type: 'boolean',
      about:
        'Also revoke their keys, access tokens, calendar feeds and the agent tokens they created',
    },
    data: DATA,
  },
  async run(values) {
    const secret = await passwordFrom(values)
    if (secret === undefined) throw new WrongUsage('Pass the password with --password-stdin')
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

export const recover: Command = {
  summary: 'Print a link with which a person signs in once and can set a password',
  about:
    'For someone who lost every other way to sign in. The link is valid for 15 minutes. It works without email, and it ends nothing.',
  example: 'cork user recover --email ada@example.com',
  flags: {
    email: EMAIL,
    json: { type: 'boolean', about: 'Print {user_id, email, link, expires_at}' },
    data: DATA,
  },
  async run(values) {
    const result = await withLocalContext(values, (context) =>
      createRecoveryLink(context, values.email!),
    )
    return printResult(
      values,
      result,
      () => `${result.email} can sign in with this link once, until ${result.expires_at}:

  ${result.link}`,
    )
  },
}

export const resetFactorsCommand: Command = {
  summary: 'Remove the passkeys, authenticator app and recovery codes of a person',
  about: 'For someone who lost them. They sign in with their password; every session is ended.',
  example: 'cork user reset-factors --email ben@example.com',
  flags: { email: EMAIL, data: DATA },
  async run(values) {
    const result = await withLocalContext(values, (context) => resetFactors(context, values.email!))
    return printResult(
      values,
      result,
      () =>
        `${values.email} signs in without a second factor from now on; ${result.sessions} sessions were ended.`,
    )
  },
}

export const deactivateCommand: Command = {
  summary:
    'Deactivate a person: ends sessions, keys, tokens and calendar feeds, and stops their agents',
  about: 'What they wrote is kept. Undo it with "cork user reactivate".',
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

export const erase: Command = {
  summary: 'Erase the account of a person for good; what they wrote stays, without their name',
  about:
    'Ends all access as "cork user deactivate" does, and erases name, email, password and everything private. Nothing brings it back. Older backups still contain the account.',
  example: 'cork user erase --email ben@example.com --yes',
  flags: {
    email: EMAIL,
    yes: { type: 'boolean', about: 'Confirm it; required' },
    data: DATA,
  },
  async run(values) {
    if (values.yes === undefined)
      throw new WrongUsage(
        `This erases the account of ${values.email} for good. Add --yes to confirm`,
      )
    const result = await withLocalContext(values, (context) => eraseUser(context, values.email!))
    return printResult(
      values,
      result,
      () => `The account is erased. What the person wrote stays under "Former member".`,
    )
  },
}

export const reactivateCommand: Command = {
  summary: 'Let a deactivated person sign in again',
  about: 'Keys and tokens stay revoked; enable their agents one by one.',
  example: 'cork user reactivate --email ben@example.com',
  flags: { email: EMAIL, data: DATA },
  async run(values) {
    const result = await withLocalContext(values, (context) => reactivate(context, values.email!))
    return printResult(values, result, () => `${values.email} can sign in again.`)
  },
}

export const role: Command = {
  summary: 'Add a person with an account to a team, or change their role',
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
      () => `${values.email} is now ${newRole} in ${values.team} (${before}).`,
    )
  },
}
