import { and, desc, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../../kernel/caller.ts'
import { tasks } from '../../../../tasks/tasks/model/index.ts'
import {
  findActorIds,
  inScope,
  parseSince,
  type Rule,
  ruleCondition,
  scopeOf,
} from '../../../filters/model/index.ts'
import type { MetadataFilters } from './schema.ts'

/** Largest number of tasks to which passages are restricted. */
export const MAX_TASKS = 20_000

/** Filters for the search index. An absent filter does not restrict. */
export interface IndexFilters {
  tasks?: number[]
  authors?: number[]
  since?: Date
}

export async function indexFiltersOf(
  ctx: Context,
  project_id: number | undefined,
  { label, section, author, updated_since }: MetadataFilters,
  operators: readonly SQL[],
): Promise<IndexFilters> {
  const scope = await scopeOf(ctx, project_id)
  const conditions = [...operators]
  const rules: [string, Rule['op'], unknown][] = [
    ['label', 'any_of', label === undefined ? undefined : [label].flat()],
    ['section', 'is', section],
  ]
  for (const [field, op, value] of rules)
    if (value !== undefined)
      conditions.push(await ruleCondition(ctx, scope, { field, op, value }, fieldPath(field)))
  const since = parseSince(ctx, fieldPath('updated_since'), updated_since)
  const authors =
    author === undefined
      ? undefined
      : await findActorIds({ ctx, scope, named: fieldPath('author') }, [author].flat())
  return {
    ...(conditions.length && { tasks: await idsOf(ctx, and(inScope(ctx, scope), ...conditions)) }),
    ...(authors && { authors }),
    ...(since && { since }),
  }
}

const fieldPath = (field: string) => `metadata_filters.${field}`

/** Ids of matching tasks, newest first; one more than `MAX_TASKS` if there are too many. */
export async function newestTaskIds({ tx }: Context, where: SQL | undefined): Promise<number[]> {
  const rows = await tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(where)
    .orderBy(desc(tasks.task_id))
    .limit(MAX_TASKS + 1)
  return rows.map(({ task_id }) => task_id)
}

async function idsOf(ctx: Context, where: SQL | undefined): Promise<number[]> {
  const ids = await newestTaskIds(ctx, where)
  if (ids.length > MAX_TASKS)
    ctx.warn(
      'metadata_filters',
      'too_many',
      `More than ${MAX_TASKS} tasks match; only the newest were searched. Restrict the search to a board`,
    )
  return ids.slice(0, MAX_TASKS)
}
