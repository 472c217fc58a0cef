import { and, count, eq } from 'drizzle-orm'
import type { Role, Tx, WriteContext } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'
import type { IssuerIdentity, IssuerPolicy, TeamRole } from '../../../../kernel/issuers.ts'
import { removeMember } from '../../departures/model/index.ts'
import {
  isManagedAfter,
  type LinkedIdentity,
  type Membership,
  roleChange,
  rolesByTeam,
} from '../../linked_identities/model/index.ts'
import { joinTeam, lockTeam, members, roleOf } from '../../teams/model/index.ts'
import { resolveTeam } from './operator.ts'

interface Roles {
  /** Ids of the teams in which groups now decide the role of the person. */
  managed: number[]
  /** Sentences for the operator. */
  warnings: string[]
}

/** Gives a person the roles of their groups. Runs at each sign-in through an issuer. */
export async function applyRoles(
  ctx: WriteContext,
  policy: IssuerPolicy,
  { groups }: IssuerIdentity,
  { actor_id, managed_team_ids }: Pick<LinkedIdentity, 'actor_id' | 'managed_team_ids'>,
): Promise<Roles> {
  if (!policy.roles.length) return { managed: [], warnings: [] }
  if (!groups) return { managed: managed_team_ids, warnings: [tooManyGroups(policy)] }
  const { wanted, warnings } = await wantedRoles(ctx.tx, policy, groups)
  const managed: number[] = []
  // All sign-ins lock the teams in the same order.
  for (const team_id of [...wanted.keys()].toSorted((a, b) => a - b)) {
    const isManaged = managed_team_ids.includes(team_id)
    const membership = await membershipOf(ctx.tx, team_id, actor_id, isManaged)
    const role = wanted.get(team_id)
    await changeRole(ctx, { team_id, user_id: actor_id, role }, membership)
    if (isManagedAfter(role, membership)) managed.push(team_id)
  }
  return { managed, warnings }
}

const tooManyGroups = ({ name }: IssuerPolicy) =>
  `${name} left out the groups of a person because they are too many, so their roles were not changed. Send only the groups of this application`

/** The role that the groups give in each team of the mapping; undefined where they give none. */
async function wantedRoles(tx: Tx, { roles, name }: IssuerPolicy, groups: readonly string[]) {
  const ids = new Map<string, number | undefined>()
  for (const { team } of roles) if (!ids.has(team)) ids.set(team, await findMappedTeam(tx, team))
  const given = rolesByTeam(
    roles.map((rule) => ({ ...rule, team: String(ids.get(rule.team)) })),
    groups,
  )
  const wanted = new Map<number, Role | undefined>()
  for (const id of ids.values()) if (id !== undefined) wanted.set(id, given.get(String(id)))
  const unknown = [...ids].filter(([, id]) => id === undefined)
  return { wanted, warnings: unknown.map(([team]) => unknownTeam(name, team)) }
}

const unknownTeam = (name: string, team: string) =>
  `The settings of ${name} name a team that does not exist, or that several teams are called: ${team}`

async function findMappedTeam(tx: Tx, team: string): Promise<number | undefined> {
  try {
    return (await resolveTeam(tx, team)).team_id
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

async function membershipOf(
  tx: Tx,
  team_id: number,
  actor_id: number,
  isManaged: boolean,
): Promise<Membership> {
  await lockTeam(tx, team_id)
  const role = await roleOf(tx, team_id, actor_id)
  const owners = and(eq(members.team_id, team_id), eq(members.role, 'owner'))
  const [row] = await tx.select({ total: count() }).from(members).where(owners)
  return { role, isManaged, isLastOwner: role === 'owner' && row!.total === 1 }
}

async function changeRole(
  ctx: WriteContext,
  { team_id, user_id, role }: { team_id: number; user_id: number; role: Role | undefined },
  membership: Membership,
): Promise<void> {
  const change = roleChange(role, membership)
  const was = membership.role
  if (change === 'leave') await removeMember(ctx, { team_id, user_id, role: was! })
  if (change === 'join') await joinAs(ctx, team_id, user_id, role!)
  if (change !== 'set role') return
  const own = and(eq(members.team_id, team_id), eq(members.actor_id, user_id))
  await ctx.tx.update(members).set({ role: role! }).where(own)
  ctx.emit('member.updated', { team_id }, { user_id, role, was })
}

async function joinAs(ctx: WriteContext, team_id: number, user_id: number, role: Role) {
  await joinTeam(ctx.tx, team_id, user_id, role, ctx.now)
  ctx.emit('member.added', { team_id }, { user_id, role })
}

/** Joins a team that the settings name. Returns a sentence for the operator if it does not exist. */
export async function joinMappedTeam(
  ctx: WriteContext,
  { name }: IssuerPolicy,
  { team, role }: TeamRole,
  user_id: number,
): Promise<string[]> {
  const team_id = await findMappedTeam(ctx.tx, team)
  if (team_id === undefined) return [unknownTeam(name, team)]
  if (!(await roleOf(ctx.tx, team_id, user_id))) await joinAs(ctx, team_id, user_id, role)
  return []
}
