import { and, eq, exists, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../../../../kernel/caller.ts'
import { projects, visibleProjects } from '../../../boards/projects/model/index.ts'
import { tasks } from './tables.ts'

/** A condition for rows that reference a task: the caller can see the board of that task. */
export function onVisibleTask(
  ctx: Pick<Context, 'tx' | 'caller'>,
  task_id: PgColumn,
  condition?: SQL,
): SQL {
  const boards = ctx.tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(visibleProjects(ctx))
  const isVisible = and(eq(tasks.task_id, task_id), inArray(tasks.project_id, boards), condition)
  return exists(ctx.tx.select({ one: sql`1` }).from(tasks).where(isVisible))
}
