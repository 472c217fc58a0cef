import { and, eq, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
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

interface PlaceColumns {
  team_id: SQLWrapper
  project_id: SQLWrapper
}

/** Rows of tasks or other board content within the scope. */
export function onBoards(ctx: Context, { teams, project_id }: Scope, columns: PlaceColumns): SQL {
  const [team, board] = [sql`${columns.team_id}`, sql`${columns.project_id}`]
  const inTeams = teams.length === 1 ? eq(team, teams[0]!) : inArray(team, [...teams])
  if (project_id !== undefined) return and(inTeams, eq(board, project_id))!
  const boards = ctx.tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(activeBoards(ctx))
  return and(inTeams, inArray(board, boards))!
}

export const inScope = (ctx: Context, scope: Scope): SQL => onBoards(ctx, scope, tasks)

/**
 * The same for tasks that are found by their ids: because of the unary plus, SQLite does not search
 * an index of the board for them.
 */
export const testInScope = (ctx: Context, scope: Scope): SQL =>
  onBoards(ctx, scope, {
    team_id: sql`+${tasks.team_id}`,
    project_id: sql`+${tasks.project_id}`,
  })
