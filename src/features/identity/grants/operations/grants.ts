import { Type as t } from '@sinclair/typebox'
import { and, asc, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { credentials } from '../../credentials/model/index.ts'
import { revokeCredentials } from '../../departures/model/index.ts'
import { actors, Id, Timestamp } from '../../people/model/index.ts'
import { findGrants, type Grant } from '../model/store.ts'
import { grants } from '../model/tables.ts'

const APPS = '/api/v1/user/apps'
const GrantId = Id('Id of an app that you allowed')
const orNull = <T extends Parameters<typeof t.Union>[0][number]>(schema: T, description?: string) =>
  t.Union([schema, t.Null()], description === undefined ? {} : { description })

const GrantRow = t.Object({
  grant_id: GrantId,
  name: t.String({ description: 'The name that the app gives itself' }),
  host: orNull(t.String({ description: 'The verified host of the app' })),
  agent: orNull(
    t.Object({ agent_id: t.String(), name: t.String() }),
    'The agent that it works as; null: as you',
  ),
  scopes: orNull(t.Array(t.String()), 'Null: those of the agent'),
  project_ids: orNull(t.Array(t.Integer()), 'Null: all boards'),
  resource: t.String({ description: 'The address that its tokens are for' }),
  created_at: Timestamp,
  expires_at: orNull(Timestamp),
  last_used_at: orNull(Timestamp),
})

export const list = operation({
  name: 'grants.list',
  summary: 'Apps that you allowed to use Corkboard',
  needs: 'keys:read',
  dependsOn: ['grant', 'agent'],
  on: { rest: `GET ${APPS}` },
  input: t.Object({}),
  output: t.Object({ apps: t.Array(GrantRow) }),
  async run(_, { tx, caller, now }) {
    const rows = await findGrants(tx, and(eq(grants.person_id, caller.actor_id), isValid(now)))
    const names = await agentNames(tx, rows)
    return {
      apps: rows
        .map((row) => toRow(row, names))
        .toSorted((a, b) => b.created_at.localeCompare(a.created_at)),
    }
  },
})

/** Grants whose code was exchanged and that have not ended. */
const isValid = (now: Date) =>
  and(
    isNull(credentials.revoked_at),
    or(isNull(credentials.expires_at), gt(credentials.expires_at, now)),
    gt(grants.generation, 0),
  )

async function agentNames(tx: Tx, rows: readonly Grant[]): Promise<Map<number, string>> {
  const ids = rows.flatMap(({ agent }) => (agent ? [agent.actor_id] : []))
  if (!ids.length) return new Map()
  const named = await tx
    .select({ actor_id: actors.actor_id, name: actors.name })
    .from(actors)
    .where(inArray(actors.actor_id, ids))
    .orderBy(asc(actors.actor_id))
  return new Map(named.map(({ actor_id, name }) => [actor_id, name]))
}

const toRow = ({ grant, credential, agent }: Grant, names: ReadonlyMap<number, string>) => ({
  grant_id: grant.credential_id,
  name: grant.client_name,
  host: grant.client_host,
  agent: agent && { agent_id: agent.agent_id, name: names.get(agent.actor_id) ?? '' },
  scopes: credential.scopes ?? agent?.scopes ?? null,
  project_ids: credential.project_ids ?? agent?.project_ids ?? null,
  resource: credential.audience ?? '',
  created_at: credential.created_at.toISOString(),
  expires_at: credential.expires_at?.toISOString() ?? null,
  last_used_at: credential.last_used_at?.toISOString() ?? null,
})

export const revoke = operation({
  name: 'grants.revoke',
  summary: 'Revoke an app; its tokens stop working at once',
  needs: 'keys:manage',
  destroys: true,
  on: { rest: `DELETE ${APPS}/:grant_id` },
  input: t.Object({ grant_id: GrantId }),
  output: t.Object({ grant_id: GrantId, name: t.String(), revoked_at: Timestamp }),
  async run({ grant_id }, ctx) {
    const name = await revokeOwn(ctx, grant_id)
    return { grant_id, name, revoked_at: ctx.now.toISOString() }
  },
})

async function revokeOwn(ctx: Context, grant_id: number): Promise<string> {
  const own = and(eq(grants.person_id, ctx.caller.actor_id), eq(grants.credential_id, grant_id))
  const [found] = await findGrants(ctx.tx, own)
  const isLive = and(eq(credentials.credential_id, grant_id), isNull(credentials.revoked_at))
  const revoked = found ? await revokeCredentials(ctx, isLive) : []
  if (revoked.length) return found!.grant.client_name
  throw fault.notFound(
    'grant_id',
    `You have allowed no app ${grant_id}`,
    grant_id,
    'List them: GET /api/v1/user/apps',
  )
}
