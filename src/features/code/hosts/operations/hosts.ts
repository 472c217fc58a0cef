import { type Static, Type as t } from '@sinclair/typebox'
import { and, count, eq, getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { seal } from '../../../../kernel/seal.ts'
import { pageOf } from '../../../../store/page.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { TeamRef } from '../../../identity/teams/model/index.ts'
import { repositories } from '../../repositories/model/index.ts'
import { clientFor } from '../model/clients/index.ts'
import { HostId, HostRow, HostUrl, Kind, Token } from '../model/schema.ts'
import {
  askHost,
  type CodeHost,
  findHost,
  hostById,
  hostOfTeam,
  parseHostUrl,
  requireAdmin,
} from '../model/store.ts'
import { codeHosts, codePeople } from '../model/tables.ts'

const ROUTE = '/api/v1/code-hosts'
const MAX_HOSTS = 20

export const list = operation({
  name: 'code_hosts.list',
  summary: 'Code hosts of a team, without their tokens',
  needs: 'teams:read',
  dependsOn: ['code_host', 'repository'],
  on: { rest: `GET ${ROUTE}`, cli: { usage: 'hosts list', example: '' } },
  input: listInput({ team_id: TeamRef }, ['createdAt']),
  output: listOf(HostRow),
  async run({ team_id: ref, ...paging }, ctx) {
    const team_id = await requireAdmin(ctx, ref)
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `code_hosts ${team_id}`,
      from: codeHosts,
      columns: getTableColumns(codeHosts),
      where: eq(codeHosts.team_id, team_id),
      sorts: { createdAt: { key: codeHosts.created_at } },
      id: 'host_id',
    })
    const items: Static<typeof HostRow>[] = []
    for (const row of rows as CodeHost[]) items.push(await toRow(ctx, row))
    return { items, page }
  },
})

export async function toRow(
  { tx }: Pick<Context, 'tx'>,
  row: CodeHost,
): Promise<Static<typeof HostRow>> {
  const { host_id, team_id, kind, url, login, app_url, created_by, created_at, updated_at } = row
  const creators = await actorsOf(tx, [created_by])
  return {
    ...{ host_id, team_id, kind, url, login, app_url, repositories: await countLinked(tx, row) },
    created_by: asActor(creators.get(created_by)!),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

async function countLinked(tx: Context['tx'], { host_id }: CodeHost): Promise<number> {
  const linked = eq(repositories.host_id, host_id)
  const [row] = await tx.select({ total: count() }).from(repositories).where(linked)
  return row!.total
}

export const create = operation({
  name: 'code_hosts.create',
  summary: 'Set up GitHub, GitLab, Forgejo or Gitea with an access token',
  needs: 'teams:manage',
  creates: true,
  destroys: true,
  on: {
    rest: `POST ${ROUTE}`,
    cli: {
      usage: 'hosts create <kind> <url> <token>',
      example: 'forgejo https://git.example.com 1234',
    },
  },
  input: t.Object({ team_id: TeamRef, kind: Kind, url: HostUrl, token: Token }),
  output: HostRow,
  async prepare({ kind, url: input, token }, { server }) {
    const url = parseHostUrl(input)
    const client = clientFor(server.callApi, { kind, url, token: token.trim() })
    const { login, id } = await askHost('token', () => client.me())
    return { url, login, account_id: id, sealed: await seal(server, token.trim()) }
  },
  async run({ team_id: ref, kind }, ctx, { url, sealed, ...account }) {
    const team_id = await requireAdmin(ctx, ref)
    const values = { kind, url, token: sealed, ...account }
    return toRow(ctx, await insertHost(ctx, team_id, values))
  },
})

type NewHost = Omit<
  typeof codeHosts.$inferInsert,
  'team_id' | 'created_by' | 'created_at' | 'updated_at'
>

export async function insertHost(ctx: Context, team_id: number, values: NewHost) {
  const { tx, caller, now } = ctx
  const ofTeam = eq(codeHosts.team_id, team_id)
  const [row] = await tx.select({ total: count() }).from(codeHosts).where(ofTeam)
  if (row!.total >= MAX_HOSTS)
    throw fault.conflict(`A team has at most ${MAX_HOSTS} code hosts`, { limit: MAX_HOSTS })
  const origin = { created_by: caller.actor_id, created_at: now, updated_at: now }
  const [created] = await tx
    .insert(codeHosts)
    .values({ ...values, team_id, ...origin })
    .returning()
  const { host_id, kind, url, login } = created!
  ctx.emit('code_host.created', { team_id }, { host_id, kind, url, login })
  return created!
}

export const update = operation({
  name: 'code_hosts.update',
  summary: 'Replace the access token of a code host',
  needs: 'teams:manage',
  destroys: true,
  on: {
    rest: `PATCH ${ROUTE}/:host_id`,
    cli: { usage: 'hosts update <host_id> <token>', example: '1 5678' },
  },
  input: t.Object({ host_id: HostId, token: Token }),
  output: HostRow,
  async prepare({ host_id, token }, { server, read, caller }) {
    const host = await read((tx) => hostById(tx, host_id))
    // The caller of another team gets the refusal of `run`, and no request is sent for it.
    if (!host || host.app_url !== null || !caller.teams.has(host.team_id))
      return { login: '', account_id: '', sealed: '' }
    const { kind, url } = host
    const client = clientFor(server.callApi, { kind, url, token: token.trim() })
    const { login, id } = await askHost('token', () => client.me())
    return { login, account_id: id, sealed: await seal(server, token.trim()) }
  },
  async run({ host_id }, ctx, { sealed, ...account }) {
    const host = await findHost(ctx, host_id)
    const team_id = await requireAdmin(ctx, host.team_id)
    if (host.app_url !== null)
      throw fault.conflict(
        `${host.login} is a GitHub App, so it has no access token`,
        { field: 'host_id', value: host_id },
        'To use a token instead, set up the host again with one',
      )
    const set = { ...account, token: sealed, updated_at: ctx.now }
    const [row] = await ctx.tx
      .update(codeHosts)
      .set(set)
      .where(hostOfTeam(team_id, host_id))
      .returning()
    // Repositories that rest after a refused token are tried again at once.
    await ctx.tx
      .update(repositories)
      .set({ rest_until: null, failures: 0, error: null, wake_at: ctx.now })
      .where(eq(repositories.host_id, host_id))
    ctx.emit('code_host.updated', { team_id }, { host_id, login: account.login })
    return toRow(ctx, row!)
  },
})

export const remove = operation({
  name: 'code_hosts.delete',
  summary: 'Delete a code host; its repositories must be unlinked first',
  needs: 'teams:manage',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}/:host_id`,
    cli: { usage: 'hosts delete <host_id>', example: '2' },
  },
  input: t.Object({ host_id: HostId }),
  output: t.Object({ host_id: HostId, deleted: t.Literal(true) }),
  async run({ host_id }, ctx) {
    const host = await findHost(ctx, host_id)
    const team_id = await requireAdmin(ctx, host.team_id)
    const linked = await countLinked(ctx.tx, host)
    if (linked)
      throw fault.conflict(
        `${host.url} has ${linked} linked ${linked === 1 ? 'repository' : 'repositories'}`,
        { field: 'host_id', repositories: linked },
        'Unlink them in the settings of their boards first',
      )
    await ctx.tx.delete(codePeople).where(eq(codePeople.host_id, host_id))
    await ctx.tx.delete(codeHosts).where(and(hostOfTeam(team_id, host_id)))
    ctx.emit('code_host.deleted', { team_id }, { host_id, kind: host.kind, url: host.url })
    return { host_id, deleted: true as const }
  },
})
