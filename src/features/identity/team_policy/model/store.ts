import { eq, min } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { members } from '../../teams/model/index.ts'
import { type Joiner, joinRefusal } from './rules.ts'
import type { Policy } from './schema.ts'
import { teamPolicies } from './tables.ts'

const DEFAULTS: Policy = {
  guests_allowed: true,
  email_domains: null,
  second_factor_required: false,
  session_days: null,
  token_days: null,
  locale: null,
}

export async function policyOf(tx: Tx, team_id: number): Promise<Policy> {
  const [row] = await tx.select().from(teamPolicies).where(eq(teamPolicies.team_id, team_id))
  if (!row) return DEFAULTS
  const { team_id: _, updated_at: __, ...policy } = row
  return policy
}

/** Throws if the policy of the team does not let this address join with this role. */
export async function requireMayJoin(tx: Tx, team_id: number, joiner: Joiner): Promise<void> {
  const refusal = joinRefusal(await policyOf(tx, team_id), joiner)
  if (refusal) throw refusal
}

export async function savePolicy(tx: Tx, team_id: number, policy: Policy, now: Date) {
  const row = { ...policy, updated_at: now }
  await tx
    .insert(teamPolicies)
    .values({ team_id, ...row })
    .onConflictDoUpdate({ target: teamPolicies.team_id, set: row })
}

/** The strictest limits among the teams of a person. */
async function limitsFor(tx: Tx, actor_id: number) {
  const [row] = await tx
    .select({
      session_days: min(teamPolicies.session_days),
      token_days: min(teamPolicies.token_days),
    })
    .from(members)
    .innerJoin(teamPolicies, eq(teamPolicies.team_id, members.team_id))
    .where(eq(members.actor_id, actor_id))
  return row!
}

const DAY_MS = 24 * 60 * 60 * 1000
export const daysAfter = (start: Date, days: number) => new Date(start.getTime() + days * DAY_MS)

/** When the sessions of a sign-in end by the rules of the person's teams; null: never. */
export async function sessionLimit(tx: Tx, actor_id: number, signedInAt: Date) {
  const { session_days } = await limitsFor(tx, actor_id)
  return session_days === null ? null : daysAfter(signedInAt, session_days)
}

/** When a key or token of a person that is created now must end; null: never. */
export async function tokenLimit(tx: Tx, actor_id: number, now: Date) {
  const { token_days } = await limitsFor(tx, actor_id)
  return token_days === null ? null : daysAfter(now, token_days)
}
