import { Type as t } from '@sinclair/typebox'
import { and, eq, inArray, notLike } from 'drizzle-orm'
import type { Context, PrepareContext } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { actorsOf, UserId } from '../../../identity/people/model/index.ts'
import { findTeam, roleOf, TeamRef } from '../../../identity/teams/model/index.ts'
import type { Account } from '../model/clients/client.ts'
import { clientFor } from '../model/clients/index.ts'
import { authorOf, createPlaceholderOf, mapAccount } from '../model/people.ts'
import { AccountRow, HostId, Login, type MappedBy, OwnHost, Token } from '../model/schema.ts'
import { askHost, type CodeHost, clientOf, findHost, requireAdmin } from '../model/store.ts'
import { codeHosts, codePeople } from '../model/tables.ts'

const ROUTE = '/api/v1/code-hosts/:host_id/accounts'

type AccountContext = Pick<Context, 'tx' | 'caller' | 'needs'>

async function toRow(ctx: AccountContext, host: CodeHost, login: string, by: MappedBy | null) {
  const { actor_id, isMember } = (await authorOf(ctx.tx, host, { login }))!
  const { name } = (await actorsOf(ctx.tx, [actor_id])).get(actor_id)!
  // An admin can also let a member replace the placeholder of an account.
  const mapped_by = isMember ? (by ?? ('admin' as const)) : null
  return { login, user_id: actor_id, name, is_member: isMember, mapped_by }
}

export const listAccounts = operation({
  name: 'code_host_accounts.list',
  summary: 'Accounts of a code host, and who they are here; at most 1,000',
  needs: 'teams:read',
  dependsOn: ['code_host', 'member', 'import'],
  on: { rest: `GET ${ROUTE}`, cli: { usage: 'hosts accounts <host_id>', example: '1' } },
  input: t.Object({ host_id: HostId }),
  output: t.Object({ accounts: t.Array(AccountRow) }),
  async run({ host_id }, ctx) {
    const host = await findHost(ctx, host_id)
    await requireAdmin(ctx, host.team_id)
    const rows = await ctx.tx
      .select({ login: codePeople.login, mapped_by: codePeople.mapped_by })
      .from(codePeople)
      // A colon begins the names of what is no account.
      .where(and(eq(codePeople.host_id, host_id), notLike(codePeople.login, ':%')))
      .orderBy(codePeople.login)
      .limit(1000)
    const accounts = []
    for (const { login, mapped_by } of rows) accounts.push(await toRow(ctx, host, login, mapped_by))
    return { accounts }
  },
})

export const listOwn = operation({
  name: 'code_host_accounts.list_own',
  summary: 'Code hosts of a team, and your own accounts there',
  needs: 'profile:read',
  dependsOn: ['code_host', 'member', 'import'],
  on: {
    rest: 'GET /api/v1/code-host-accounts',
    cli: { usage: 'hosts mine', example: '' },
  },
  input: t.Object({ team_id: TeamRef }),
  output: t.Object({ hosts: t.Array(OwnHost) }),
  async run({ team_id: ref }, ctx) {
    const { tx, caller } = ctx
    const { team_id } = await findTeam(ctx, ref)
    const hosts = await tx.select().from(codeHosts).where(eq(codeHosts.team_id, team_id))
    const ids = hosts.map(({ host_id }) => host_id)
    const isOwn = eq(codePeople.actor_id, caller.actor_id)
    const own = and(inArray(codePeople.host_id, ids), isOwn)
    const accounts = ids.length
      ? await tx.select().from(codePeople).where(own).orderBy(codePeople.login)
      : []
    return {
      hosts: hosts.map(({ host_id, kind, url }) => ({
        ...{ host_id, kind, url },
        logins: accounts.filter((one) => one.host_id === host_id).map(({ login }) => login),
      })),
    }
  },
})

const cleanLogin = (input: string) => input.trim().replace(/^@/, '')

/** The host, for an owner or admin; a refusal comes before any request to the host. */
async function adminHost(ctx: AccountContext, host_id: number): Promise<CodeHost> {
  const host = await findHost(ctx, host_id)
  await requireAdmin(ctx, host.team_id)
  return host
}

/** The id and the name of an account as the host has them. */
async function lookUp(
  { read, caller, server }: PrepareContext,
  host_id: number,
  input: string,
): Promise<Account> {
  const needs = 'teams:manage'
  const host = await read((tx) => adminHost({ tx, caller, needs }, host_id))
  const login = cleanLogin(input)
  const found = login
    ? await askHost('login', async () => (await clientOf(server, host)).account(login))
    : undefined
  if (found) return found
  throw fault.invalid(
    'login',
    'not_found',
    `${host.url} has no account ${login}`,
    input,
    `Check the name of the account: ${host.url}/${encodeURIComponent(login)}`,
  )
}

export const assignAccount = operation({
  name: 'code_host_accounts.assign',
  summary: 'Say which member an account of a code host belongs to',
  needs: 'teams:manage',
  destroys: true,
  on: {
    rest: `PUT ${ROUTE}/:login`,
    cli: { usage: 'hosts assign <host_id> <login> <user_id>', example: '1 octocat Ben' },
  },
  input: t.Object({ host_id: HostId, login: Login, user_id: UserId }),
  output: AccountRow,
  prepare: ({ host_id, login }, context) => lookUp(context, host_id, login),
  async run({ host_id, user_id }, ctx, account) {
    const host = await adminHost(ctx, host_id)
    const { team_id } = host
    if (!(await roleOf(ctx.tx, team_id, user_id)))
      throw fault.invalid(
        'user_id',
        'not_found',
        `There is no member ${user_id} in this team`,
        user_id,
        'List its members: GET /api/v1/teams/{team_id}/members',
      )
    return save(ctx, host, account, { actor_id: user_id, mapped_by: 'admin' })
  },
})

async function save(
  ctx: Context,
  host: CodeHost,
  account: Pick<Account, 'id' | 'login'>,
  mapping: { actor_id: number; mapped_by: MappedBy | null },
) {
  const { team_id, host_id } = host
  const login = account.login.toLowerCase()
  await mapAccount(ctx.tx, host, account, mapping)
  const user_id = mapping.mapped_by ? mapping.actor_id : null
  ctx.emit('code_host.updated', { team_id }, { host_id, login, user_id })
  return toRow(ctx, host, login, mapping.mapped_by)
}

export const claimAccount = operation({
  name: 'code_host_accounts.claim',
  summary: 'Make an account of a code host yours, by a token of it',
  needs: 'profile:write',
  creates: true,
  destroys: true,
  on: {
    rest: `POST ${ROUTE}`,
    cli: { usage: 'hosts claim <host_id> <token>', example: '1 5678' },
  },
  input: t.Object({ host_id: HostId, token: Token }),
  output: AccountRow,
  async prepare({ host_id, token }, { read, caller, server }) {
    const needs = 'profile:write'
    const { kind, url } = await read((tx) => ownHost({ tx, caller, needs }, host_id))
    const client = clientFor(server.callApi, { kind, url, token: token.trim() })
    return askHost('token', () => client.me())
  },
  async run({ host_id }, ctx, account) {
    const host = await ownHost(ctx, host_id)
    const { actor_id } = ctx.caller
    const known = await authorOf(ctx.tx, host, account)
    if (known?.isMember && known.actor_id !== actor_id)
      throw fault.conflict(
        `${account.login} belongs to another member here`,
        { field: 'token', login: account.login },
        'Ask an owner or admin to assign it to you',
      )
    return save(ctx, host, account, { actor_id, mapped_by: 'member' })
  },
})

/** Agents have the accounts of nobody. */
async function ownHost(ctx: AccountContext, host_id: number): Promise<CodeHost> {
  const host = await findHost(ctx, host_id)
  if (ctx.caller.kind === 'person') return host
  throw fault.forbidden('Only people claim accounts', 'Ask the person to do it')
}

export const removeAccount = operation({
  name: 'code_host_accounts.remove',
  summary: 'Take an account of a code host from its member: your own, or any as an admin',
  needs: 'profile:write',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}/:login`,
    cli: { usage: 'hosts unassign <host_id> <login>', example: '1 octocat' },
  },
  input: t.Object({ host_id: HostId, login: Login }),
  output: AccountRow,
  async run({ host_id, login: input }, ctx) {
    const host = await findHost(ctx, host_id)
    const login = cleanLogin(input).toLowerCase()
    const known = await authorOf(ctx.tx, host, { login })
    if (known?.actor_id !== ctx.caller.actor_id) await requireAdmin(ctx, host.team_id)
    if (!known?.isMember)
      throw fault.notFound(
        'login',
        `No member has the account ${login}`,
        input,
        `List the accounts: GET /api/v1/code-hosts/${host_id}/accounts`,
      )
    const own = and(eq(codePeople.host_id, host_id), eq(codePeople.login, login))
    const [row] = await ctx.tx.select().from(codePeople).where(own)
    const account = { login, name: login, id: row!.account_id ?? '0' }
    // A placeholder, because an account without a row would get the member with its email again.
    const actor_id = await createPlaceholderOf(ctx, host, account)
    return save(ctx, host, account, { actor_id, mapped_by: null })
  },
})
