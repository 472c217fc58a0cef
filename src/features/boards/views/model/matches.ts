import { and, eq, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { ruleCondition, type Scope } from '../../../search/filters/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { Project } from '../../projects/model/index.ts'
import type { BoardFilters } from './schema.ts'

/** The most tasks that a board shows. */
const MAX_TASKS = 10_000

/** The tasks of a board that match each rule. */
export async function matchesOf(
  ctx: Context,
  scope: Scope,
  { team_id, project_id }: Project,
  { groups }: BoardFilters,
) {
  const matches: { rule: BoardFilters['groups'][number]['rules'][number]; task_ids: number[] }[] =
    []
  for (const [at, { rules }] of groups.entries())
    for (const [index, rule] of rules.entries()) {
      const field = `board_filters.groups.${at}.rules.${index}`
      const condition = await ruleCondition(ctx, scope, rule, field)
      const isOnBoard = and(
        eq(tasks.team_id, team_id),
        eq(tasks.project_id, project_id),
        eq(tasks.status, 'Normal'),
        condition,
      )
      matches.push({ rule, task_ids: await idsWhere(ctx, isOnBoard) })
    }
  return matches
}

async function idsWhere({ tx }: Context, where: SQL | undefined): Promise<number[]> {
  const { task_id } = tasks
  const rows = await tx.select({ task_id }).from(tasks).where(where).limit(MAX_TASKS)
  return rows.map((row) => row.task_id)
}
