import { Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { actorsOf, UserId } from '../../../identity/people/model/index.ts'
import { roleOf } from '../../../identity/teams/model/index.ts'
import { authorOf } from '../model/people.ts'
import { AccountRow, HostId, Login } from '../model/schema.ts'
import { findHost, requireAdmin } from '../model/store.ts'
import { codePeople } from '../model/tables.ts'

const ROUTE = '/api/v1/code-hosts/:host_id/accounts'

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
      .select({ login: codePeople.login })
      .from(codePeople)
      .where(eq(codePeople.host_id, host_id))
      .orderBy(codePeople.login)
      .limit(1000)
    const accounts = []
    for (const { login } of rows) {
      if (login.startsWith(':')) continue
      const { actor_id, isMember } = (await authorOf(ctx.tx, host, login))!
      const { name } = (await actorsOf(ctx.tx, [actor_id])).get(actor_id)!
      accounts.push({ login, user_id: actor_id, name, is_member: isMember })
    }
    return { accounts }
  },
})

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
  async run({ host_id, login: input, user_id }, ctx) {
    const host = await findHost(ctx, host_id)
    const team_id = await requireAdmin(ctx, host.team_id)
    if (!(await roleOf(ctx.tx, team_id, user_id)))
      throw fault.invalid(
        'user_id',
        'not_found',
        `There is no member ${user_id} in this team`,
        user_id,
        'List its members: GET /api/v1/teams/{team_id}/members',
      )
    const login = input.trim().replace(/^@/, '').toLowerCase()
    await ctx.tx
      .insert(codePeople)
      .values({ team_id, host_id, login, actor_id: user_id })
      .onConflictDoUpdate({
        target: [codePeople.host_id, codePeople.login],
        set: { actor_id: user_id },
      })
    const { name } = (await actorsOf(ctx.tx, [user_id])).get(user_id)!
    ctx.emit('code_host.updated', { team_id }, { host_id, login, user_id })
    return { login, user_id, name, is_member: true }
  },
})
