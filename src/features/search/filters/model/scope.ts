import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Context } from '../../../../kernel/caller.ts'
import type { Reader } from '../../../../kernel/operation.ts'
import { findProject, projects, visibleProjects } from '../../../boards/projects/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'

/** The boards of a query: one, or all active boards that the caller can see. */
export interface Scope {
  teams: readonly number[]
  project_id?: number
  /** The candidate tasks are few and found by other conditions, so filters test each of them. */
  isSmall?: true
}

export async function scopeOf(ctx: Context, project_id: number | undefined): Promise<Scope> {
  if (project_id === undefined) return { teams: [...ctx.caller.teams.keys()] }
  return { teams: [(await findProject(ctx, project_id)).team_id], project_id }
}

/** The boards of a query that names none: visible to the caller and not archived. */
export const activeBoards = (reader: Reader): SQL | undefined =>
  and(visibleProjects(reader), eq(projects.status, 'Normal'))

/** Rows of tasks or other board content within the scope. */
export function onBoards(
  ctx: Context,
  { teams, project_id }: Scope,
  columns: { team_id: Column; project_id: Column },
): SQL {
  const inTeams =
    teams.length === 1 ? eq(columns.team_id, teams[0]!) : inArray(columns.team_id, [...teams])
  if (project_id !== undefined) return and(inTeams, eq(columns.project_id, project_id))!
  const boards = ctx.tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(activeBoards(ctx))
  return and(inTeams, inArray(columns.project_id, boards))!
}

export const inScope = (ctx: Context, scope: Scope): SQL => onBoards(ctx, scope, tasks)
