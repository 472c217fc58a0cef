import { and, eq, sql } from 'drizzle-orm'
import type { Context, Role, Tx } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { hasConcurrentWriters } from '../../../../store/columns.ts'
import { ROLES } from './roles.ts'
import { members, teams } from './tables.ts'

export type Team = typeof teams.$inferSelect

/** Loads a team by number or UUID. Checks that the caller belongs to it and has the scope there. */
export async function findTeam(
  ctx: Pick<Context, 'tx' | 'caller' | 'needs'>,
  team_id: number | string,
): Promise<Team> {
  const isNumber = typeof team_id === 'number' || /^\d{1,9}$/.test(team_id)
  const condition = isNumber
    ? eq(teams.team_id, Number(team_id))
    : eq(teams.team_uuid, String(team_id).toLowerCase())
  const [team] = await ctx.tx.select().from(teams).where(condition)
  if (!team || !ctx.caller.teams.has(team.team_id))
    throw fault.notFound(
      'team_id',
      `There is no team ${team_id} that you belong to`,
      isNumber ? Number(team_id) : team_id,
      'List your teams: svc_user_context hello',
    )
  requireTeamScope(ctx, team.team_id)
  return team
}

/** Throws if the caller's role in the team does not include the scope of the operation. */
export function requireTeamScope(ctx: Pick<Context, 'caller' | 'needs'>, team_id: number): void {
  const role = ctx.caller.teams.get(team_id)
  if (!role || !ROLES[role].has(ctx.needs)) throw missingScope(ctx.needs, role)
}

/** Locks the row of a team. Writers that count or compare rows of the team take this lock first. */
export async function lockTeam(tx: Tx, team_id: number): Promise<void> {
  if (!hasConcurrentWriters) return
  await tx
    .update(teams)
    .set({ name: sql`${teams.name}` })
    .where(eq(teams.team_id, team_id))
}

export async function createTeam(tx: Tx, name: string, now: Date): Promise<number> {
  const team_uuid = crypto.randomUUID()
  const [team] = await tx.insert(teams).values({ team_uuid, name, created_at: now }).returning()
  return team!.team_id
}

export async function joinTeam(tx: Tx, team_id: number, actor_id: number, role: Role, now: Date) {
  await tx.insert(members).values({ team_id, actor_id, role, joined_at: now }).onConflictDoNothing()
}

/** The roles of a person in all teams, also in those that require a second factor of them. */
export async function rolesOf(tx: Tx, actor_id: number): Promise<Map<number, Role>> {
  const rows = await tx.select().from(members).where(eq(members.actor_id, actor_id))
  return new Map(rows.map(({ team_id, role }) => [team_id, role]))
}

export async function roleOf(tx: Tx, team_id: number, actor_id: number): Promise<Role | undefined> {
  const membership = and(eq(members.team_id, team_id), eq(members.actor_id, actor_id))
  const [row] = await tx.select({ role: members.role }).from(members).where(membership)
  return row?.role
}
