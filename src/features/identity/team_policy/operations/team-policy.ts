import { Type as t } from '@sinclair/typebox'
import { and, count, eq, isNotNull, notExists } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { limitSessions } from '../../accounts/model/index.ts'
import { authenticatorApps, hasFactor, passkeys } from '../../factors/model/index.ts'
import { parseLocale } from '../../people/model/index.ts'
import { findTeam, lockTeam, members, ROLES, TeamId, TeamRef } from '../../teams/model/index.ts'
import {
  type Policy,
  type PolicyField,
  policyFields,
  policyOf,
  savePolicy,
} from '../model/index.ts'

const ROUTE = '/api/v1/teams/:team_id/policy'

const output = {
  team_id: TeamId,
  ...policyFields,
  without_second_factor: t.Union([t.Integer(), t.Null()], {
    description: 'People in the team without a second factor; null unless you manage the team',
  }),
}

export const get = operation({
  name: 'team_policy.get',
  summary: 'Rules of a team for joining, sign-in, sessions and keys',
  needs: 'teams:read',
  dependsOn: ['team', 'member'],
  on: {
    rest: `GET ${ROUTE}`,
    cli: { usage: 'teams policy [team_id]', example: '' },
  },
  input: t.Object({ team_id: TeamRef }),
  output: t.Object(output),
  async run(input, ctx) {
    const { team_id } = await findTeam(ctx, input.team_id)
    return show(ctx, team_id, await policyOf(ctx.tx, team_id))
  },
})

export const update = operation({
  name: 'team_policy.update',
  summary: 'Change the rules of a team for joining, sign-in, sessions and keys',
  needs: 'teams:manage',
  destroys: true,
  on: {
    rest: `PATCH ${ROUTE}`,
    cli: { usage: 'teams set-policy [team_id]', example: '--session-days 14 --token-days 90' },
  },
  input: t.Object({ team_id: TeamRef, ...t.Partial(t.Object(policyFields)).properties }),
  output: t.Object({ ...output, changed: t.Array(t.String()) }),
  async run({ team_id: ref, ...input }, ctx) {
    const { team_id } = await findTeam(ctx, ref)
    requireOwner(ctx, team_id)
    await lockTeam(ctx.tx, team_id)
    const before = await policyOf(ctx.tx, team_id)
    const after = { ...before, ...normalized(input) }
    const changed = changedFields(before, after)
    if (changed.second_factor_required?.after === true) await requireOwnFactor(ctx)
    if (Object.keys(changed).length) {
      await savePolicy(ctx.tx, team_id, after, ctx.now)
      ctx.emit('team.policy_changed', { team_id }, { changed })
      if (changed.session_days && after.session_days !== null)
        await limitSessions(ctx.tx, team_id, after.session_days, ctx.now)
    }
    return { ...(await show(ctx, team_id, after)), changed: Object.keys(changed) }
  },
})

function requireOwner({ caller }: Context, team_id: number): void {
  if (caller.teams.get(team_id) !== 'owner' || caller.kind === 'agent')
    throw fault.forbidden(
      'Only an owner can change the rules of a team for sign-in and access',
      'Ask an owner of the team',
    )
}

/** Otherwise the owner who sets the rule would be locked out first. */
async function requireOwnFactor({ tx, caller }: Context): Promise<void> {
  if (await hasFactor(tx, caller.actor_id)) return
  throw fault.conflict(
    'You have no second factor yourself',
    { field: 'second_factor_required' },
    'Add a passkey or an authenticator app in your security settings first',
  )
}

/** Domains are compared in lower case; each counts once. Languages have their canonical form. */
const normalized = ({ email_domains, locale, ...input }: Partial<Policy>): Partial<Policy> => ({
  ...input,
  ...(locale !== undefined && { locale: locale && parseLocale(locale) }),
  ...(email_domains !== undefined && {
    email_domains: email_domains && [
      ...new Set(email_domains.map((domain) => domain.toLowerCase())),
    ],
  }),
})

type Changed = Partial<Record<PolicyField, { before: unknown; after: unknown }>>

const changedFields = (before: Policy, after: Policy): Changed =>
  Object.fromEntries(
    (Object.keys(policyFields) as PolicyField[])
      .filter((name) => String(before[name]) !== String(after[name]))
      .map((name) => [name, { before: before[name], after: after[name] }]),
  )

async function show({ tx, caller }: Context, team_id: number, policy: Policy) {
  const isManager = ROLES[caller.teams.get(team_id)!].has('teams:manage')
  return {
    team_id,
    ...policy,
    without_second_factor: isManager ? await countWithoutFactor(tx, team_id) : null,
  }
}

async function countWithoutFactor(tx: Tx, team_id: number): Promise<number> {
  const ownPasskeys = tx
    .select({ actor_id: passkeys.actor_id })
    .from(passkeys)
    .where(eq(passkeys.actor_id, members.actor_id))
  const ownApps = tx
    .select({ actor_id: authenticatorApps.actor_id })
    .from(authenticatorApps)
    .where(
      and(
        eq(authenticatorApps.actor_id, members.actor_id),
        isNotNull(authenticatorApps.confirmed_at),
      ),
    )
  const [row] = await tx
    .select({ total: count() })
    .from(members)
    .where(and(eq(members.team_id, team_id), notExists(ownPasskeys), notExists(ownApps)))
  return row!.total
}
