import { and, eq, sql } from 'drizzle-orm'
import type { Context, Role, Tx } from '../../kernel/caller.ts'
import { lacking } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
import { manyWriters } from '../../store/columns.ts'
import { ROLES } from './roles.ts'
import { members, teams } from './tables.ts'

export type Team = typeof teams.$inferSelect

/** The team by its number or UUID, if the caller belongs to it and may do there what it asks. */
export async function findTeam(ctx: Context, team_id: number | string): Promise<Team> {
  const isNumber = typeof team_id === 'number' || /^\d{1,9}$/.test(team_id)
  const named = isNumber
    ? eq(teams.team_id, Number(team_id))
    : eq(teams.team_uuid, String(team_id).toLowerCase())
  const [team] = await ctx.tx.select().from(teams).where(named)
  if (!team || !ctx.caller.teams.has(team.team_id))
    throw fault.notFound(
      'team_id',
      `There is no team ${team_id} that you belong to`,
      isNumber ? Number(team_id) : team_id,
      'svc_user_context hello names your teams',
    )
  allow(ctx, team.team_id)
  return team
}

/** Refuses what the caller's role in a team does not include. */
export function allow(ctx: Context, team_id: number): void {
  const role = ctx.caller.teams.get(team_id)
  if (!role || !ROLES[role].has(ctx.needs)) throw lacking(ctx.needs, role)
}

/** Writers that count or compare the rows of one team queue for the team's own row. */
export async function holdTeam(tx: Tx, team_id: number): Promise<void> {
  if (!manyWriters) return
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

export async function roleOf(tx: Tx, team_id: number, actor_id: number): Promise<Role | undefined> {
  const one = and(eq(members.team_id, team_id), eq(members.actor_id, actor_id))
  const [row] = await tx.select({ role: members.role }).from(members).where(one)
  return row?.role
}
