import { randomBytes } from 'node:crypto'
import { Type as t } from '@sinclair/typebox'
import { type Context, SCOPES, type Scope } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { earliest, hashOf, insertCredential, newSecret } from '../../credentials/model/index.ts'
import { requireBrowser } from '../../sign_ins/model/index.ts'
import { tokenLimit } from '../../team_policy/model/index.ts'
import { agentOfGrant } from '../model/agent.ts'
import { requireBoards } from '../model/boards.ts'
import { answerDevice } from '../model/devices.ts'
import { CODE_MS, DEVICE_MS } from '../model/schema.ts'
import { grants } from '../model/tables.ts'

const DAY_MS = 24 * 60 * 60_000
const Text = t.String({ maxLength: 5000 })
const orNull = <T extends Parameters<typeof t.Union>[0][number]>(schema: T) =>
  t.Union([schema, t.Null()])

const Allowed = t.Object({
  client_id: Text,
  client_name: Text,
  client_host: orNull(Text),
  redirect_uri: orNull(Text),
  code_challenge: orNull(Text),
  /** The request of a device that this answers. */
  request_id: orNull(t.Integer()),
  resource: Text,
  scopes: t.Array(t.Union(SCOPES.map((scope) => t.Literal(scope)))),
  /** Undefined: as the person. */
  agent: t.Optional(
    t.Object({
      agent_id: t.Optional(Text),
      name: t.Optional(Text),
      team_id: t.Optional(t.Integer()),
    }),
  ),
  project_ids: orNull(t.Array(t.Integer(), { maxItems: 500 })),
  /** Null: until somebody revokes it. */
  days: orNull(t.Integer({ minimum: 1, maximum: 366 })),
})

type Allowed = (typeof Allowed)['static']

/** Creates the grant that a person allowed on the consent page. No caller can name it. */
export const allow = operation({
  name: 'grants.allow',
  summary: 'Allow an app to use Corkboard',
  needs: 'keys:manage',
  on: {},
  input: Allowed,
  output: t.Object({ grant_id: t.Integer(), code: orNull(t.String()) }),
  async run(input, ctx) {
    requireBrowser(ctx.caller)
    if (!input.scopes.length)
      throw fault.invalid('scope', 'required', 'Choose at least one permission')
    if (input.project_ids) await requireBoards(ctx, input.project_ids)
    const holder = await holderOf(input, ctx)
    const code = input.request_id === null ? randomBytes(32).toString('base64url') : null
    const grant_id = await insertGrant(input, ctx, holder, code)
    if (input.request_id !== null)
      await answerDevice(ctx.tx, input.request_id, { credential_id: grant_id }, ctx.now)
    ctx.emit('grant.created', {}, changeData(input, ctx, grant_id, holder))
    return { grant_id, code }
  },
})

/** Refuses an app. For a device this ends its request. */
export const deny = operation({
  name: 'grants.deny',
  summary: 'Refuse an app',
  needs: 'keys:manage',
  on: {},
  input: t.Object({
    client_name: Text,
    client_host: orNull(Text),
    request_id: orNull(t.Integer()),
  }),
  output: t.Object({}),
  async run({ client_name: name, client_host: host, request_id }, ctx) {
    requireBrowser(ctx.caller)
    if (request_id !== null) await answerDevice(ctx.tx, request_id, { denied_at: ctx.now }, ctx.now)
    ctx.emit('grant.refused', {}, { name, host, user_id: ctx.caller.actor_id })
    return {}
  },
})

interface Holder {
  actor_id: number
  agent_id: string | null
  scopes: Scope[] | null
  project_ids: number[] | null
}

/**
 * Who the client acts as. A new agent has the scopes and boards itself, where they can be changed. The
 * grant limits an existing one to what the person chose, which may be less than the agent has.
 */
async function holderOf({ agent, scopes, project_ids }: Allowed, ctx: Context): Promise<Holder> {
  if (!agent) return { actor_id: ctx.caller.actor_id, agent_id: null, scopes, project_ids }
  const { actor_id, agent_id } = await agentOfGrant(ctx, agent, { scopes, project_ids })
  const isNew = agent.agent_id === undefined
  const limits = isNew ? { scopes: null, project_ids: null } : { scopes, project_ids }
  return { actor_id, agent_id, ...limits }
}

async function insertGrant(
  input: Allowed,
  { tx, now, caller }: Context,
  { actor_id, scopes, project_ids }: Holder,
  code: string | null,
): Promise<number> {
  const { client_id, client_name, client_host, redirect_uri, code_challenge, days } = input
  const chosenEnd = days === null ? null : new Date(now.getTime() + days * DAY_MS)
  // The policy of a team limits the credentials of people, and not those of agents.
  const limit = actor_id === caller.actor_id ? await tokenLimit(tx, actor_id, now) : null
  const row = await insertCredential(
    tx,
    {
      ...{ kind: 'grant', actor_id, scopes, project_ids, name: client_name },
      secret: newSecret('grant'),
      expires_at: earliest(chosenEnd, limit),
      minted_by: caller.actor_id,
      audience: input.resource,
    },
    now,
  )
  const { credential_id } = row
  const code_hash = code === null ? null : hashOf(code)
  const code_expires_at = new Date(now.getTime() + (code === null ? DEVICE_MS : CODE_MS))
  await tx.insert(grants).values({
    ...{ credential_id, person_id: caller.actor_id, client_id, client_name, client_host },
    ...{ redirect_uri, code_hash, code_challenge, code_expires_at },
  })
  return credential_id
}

const changeData = (
  { client_name: name, client_host: host, resource, scopes, project_ids, days }: Allowed,
  { caller }: Context,
  grant_id: number,
  { agent_id }: Holder,
) => ({
  ...{ grant_id, name, host, resource, scopes, project_ids, days },
  ...(agent_id !== null && { as_agent: agent_id }),
  user_id: caller.actor_id,
})
