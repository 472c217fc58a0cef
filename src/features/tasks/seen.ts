import { and, eq, exists, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../../kernel/caller.ts'
import { projects, visibleProjects } from '../projects/index.ts'
import { tasks } from './tables.ts'

/** Rows about a task, by the column that names it: those whose board the caller can see. */
export function aboutSeenTask(
  ctx: Pick<Context, 'tx' | 'caller'>,
  task_id: PgColumn,
  more?: SQL,
): SQL {
  const boards = ctx.tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(visibleProjects(ctx))
  const seen = and(eq(tasks.task_id, task_id), inArray(tasks.project_id, boards), more)
  return exists(ctx.tx.select({ one: sql`1` }).from(tasks).where(seen))
}
