import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { projects, projectUses, visibleProjects } from '../../../boards/projects/model/index.ts'
import { actors, people } from '../../people/model/index.ts'
import { teams } from '../../teams/model/index.ts'

export async function ownRow({ tx, caller }: Context) {
  const [row] = await tx
    .select({ actor: actors, person: people })
    .from(actors)
    .leftJoin(people, eq(people.actor_id, actors.actor_id))
    .where(eq(actors.actor_id, caller.actor_id))
  return row!
}

/** Returns the caller's teams by name, with the caller's role in each. */
export async function ownTeams({ tx, caller }: Context) {
  const rows = await tx
    .select()
    .from(teams)
    .where(inArray(teams.team_id, [...caller.teams.keys()]))
    .orderBy(asc(teams.name), asc(teams.team_id))
  return rows.map((row) => ({ ...row, role: caller.teams.get(row.team_id)! }))
}

/**
 * Returns active boards, most recently used by the caller first, and the number of further ones.
 */
export async function ownBoards(ctx: Context, limit: number) {
  const { tx, caller } = ctx
  if (!caller.scopes.has('projects:read')) return { boards: [], more_boards: 0 }
  const where = and(visibleProjects(ctx), eq(projects.status, 'Normal'))
  const used = projectUses.last_used_at
  const boards = await tx
    .select({
      project_id: projects.project_id,
      key: projects.key,
      title: projects.title,
      team_id: projects.team_id,
    })
    .from(projects)
    .leftJoin(
      projectUses,
      and(
        eq(projectUses.project_id, projects.project_id),
        eq(projectUses.actor_id, caller.actor_id),
      ),
    )
    .where(where)
    .orderBy(
      sql`case when ${used} is null then 1 else 0 end`,
      desc(used),
      desc(projects.updated_at),
      desc(projects.project_id),
    )
    .limit(limit)
  if (boards.length < limit) return { boards, more_boards: 0 }
  const [total] = await tx.select({ boards: count() }).from(projects).where(where)
  return { boards, more_boards: total!.boards - boards.length }
}
