import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Context } from '../../../kernel/caller.ts'
import { findProject, projects, visibleProjects } from '../../projects/index.ts'
import { tasks } from '../tables.ts'

/** The boards a question is about: one, or all that the caller can see and nobody archived. */
export interface Scope {
  teams: readonly number[]
  project_id?: number
  /** The tasks are few, and found in another way, so each is asked by itself. */
  few?: true
}

export async function scopeOf(ctx: Context, project_id: number | undefined): Promise<Scope> {
  if (project_id === undefined) return { teams: [...ctx.caller.teams.keys()] }
  return { teams: [(await findProject(ctx, project_id)).team_id], project_id }
}

/** The boards of a question that names none. */
export const shownBoards = (ctx: Context): SQL | undefined =>
  and(visibleProjects(ctx), eq(projects.status, 'Normal'))

/** What belongs to a board of the scope, be it tasks or something else that boards hold. */
export function onBoards(
  ctx: Context,
  { teams, project_id }: Scope,
  of: { team_id: Column; project_id: Column },
): SQL {
  const ofTeams = teams.length === 1 ? eq(of.team_id, teams[0]!) : inArray(of.team_id, [...teams])
  if (project_id !== undefined) return and(ofTeams, eq(of.project_id, project_id))!
  const boards = ctx.tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(shownBoards(ctx))
  return and(ofTeams, inArray(of.project_id, boards))!
}

export const within = (ctx: Context, scope: Scope): SQL => onBoards(ctx, scope, tasks)
