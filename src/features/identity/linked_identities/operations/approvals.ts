import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { UserId } from '../../people/model/index.ts'
import { requireBrowser, requireRecentProof } from '../../sign_ins/model/index.ts'
import { findTeam, TeamId, TeamRef } from '../../teams/model/index.ts'
import { approveIdentity, deleteIdentity, waitingIdentities } from '../model/index.ts'
import { IdentityId, WaitingRow } from '../model/schema.ts'

const PATH = '/api/v1/teams/:team_id/identities'
const MAX_ROWS = 100

export const waiting = operation({
  name: 'linked_identities.waiting',
  summary: 'Sign-in links of people in a team that an admin has to approve',
  needs: 'teams:manage',
  dependsOn: ['identity', 'member'],
  on: { rest: `GET ${PATH}` },
  input: t.Object({ team_id: TeamRef }),
  output: t.Object({ waiting: t.Array(WaitingRow) }),
  async run({ team_id: ref }, ctx) {
    requireBrowser(ctx.caller)
    const { team_id } = await findTeam(ctx, ref)
    const rows = await waitingIdentities(ctx.tx, team_id).limit(MAX_ROWS)
    return {
      waiting: rows.map(({ identity, name, account_email, role }) => ({
        ...{ identity_id: identity.identity_id, user_id: identity.actor_id, name, role },
        ...{ account_email, issuer: identity.issuer, email: identity.email },
        created_at: identity.created_at.toISOString(),
      })),
    }
  },
})

const Receipt = t.Object({ team_id: TeamId, identity_id: IdentityId, user_id: UserId })

export const approve = operation({
  name: 'linked_identities.approve',
  summary: 'Let a person of the team sign in through a provider',
  needs: 'teams:manage',
  on: { rest: `POST ${PATH}/:identity_id/approve` },
  input: t.Object({ team_id: TeamRef, identity_id: IdentityId }),
  output: Receipt,
  async run({ team_id: ref, identity_id }, ctx) {
    const { team_id, user_id, issuer, email } = await findWaiting(ctx, ref, identity_id)
    await requireRecentProof(ctx.tx, ctx.caller, ctx.now)
    if (!(await approveIdentity(ctx.tx, identity_id, ctx.now))) throw notWaiting(identity_id)
    ctx.emit('identity.approved', { team_id }, { user_id, issuer, email })
    return { team_id, identity_id, user_id }
  },
})

export const refuse = operation({
  name: 'linked_identities.refuse',
  summary: 'Refuse a sign-in link of a person in the team',
  needs: 'teams:manage',
  destroys: true,
  on: { rest: `DELETE ${PATH}/:identity_id` },
  input: t.Object({ team_id: TeamRef, identity_id: IdentityId }),
  output: Receipt,
  async run({ team_id: ref, identity_id }, ctx) {
    const { team_id, user_id, issuer, email } = await findWaiting(ctx, ref, identity_id)
    await deleteIdentity(ctx.tx, identity_id)
    ctx.emit('identity.refused', { team_id }, { user_id, issuer, email })
    return { team_id, identity_id, user_id }
  },
})

/** A link gives access to the whole account, so only owners decide about owners. */
async function findWaiting(ctx: Context, ref: number | string, identity_id: number) {
  requireBrowser(ctx.caller)
  const { team_id } = await findTeam(ctx, ref)
  const [row] = await waitingIdentities(ctx.tx, team_id, identity_id)
  if (!row) throw notWaiting(identity_id)
  const { actor_id: user_id, issuer, email } = row.identity
  if (user_id === ctx.caller.actor_id)
    throw fault.forbidden('You cannot decide about your own link', 'Ask another owner or admin')
  if (row.role === 'owner' && ctx.caller.teams.get(team_id) !== 'owner')
    throw fault.forbidden('Only an owner can decide about the link of an owner', 'Ask an owner')
  return { team_id, user_id, issuer, email }
}

const notWaiting = (identity_id: number) =>
  fault.notFound(
    'identity_id',
    `No link ${identity_id} of a person in this team needs approval`,
    identity_id,
    'Somebody may have decided about it already',
  )
