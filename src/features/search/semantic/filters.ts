import { and, desc, type SQL } from 'drizzle-orm'
import type { Context } from '../../../kernel/caller.ts'
import {
  actorsMeant,
  criterion,
  type Rule,
  readSince,
  scopeOf,
  tasks,
  within,
} from '../../tasks/index.ts'
import type { MetadataFilters } from './schema.ts'

/** More tasks than that are nothing to choose passages by. */
const MOST_TASKS = 20_000

/** What a library is asked for; nothing where all will do. */
export interface Chosen {
  tasks?: number[]
  authors?: number[]
  since?: Date
}

export async function chosenBy(
  ctx: Context,
  project_id: number | undefined,
  { label, section, author, updated_since }: MetadataFilters,
): Promise<Chosen> {
  const scope = await scopeOf(ctx, project_id)
  const conditions: SQL[] = []
  const asked: [string, Rule['op'], unknown][] = [
    ['label', 'any_of', label === undefined ? undefined : [label].flat()],
    ['section', 'is', section],
  ]
  for (const [field, op, value] of asked)
    if (value !== undefined)
      conditions.push(await criterion(ctx, scope, { field, op, value }, named(field)))
  const since = readSince(ctx, named('updated_since'), updated_since)
  const authors =
    author === undefined
      ? undefined
      : await actorsMeant({ ctx, scope, named: named('author') }, [author].flat())
  return {
    ...(conditions.length && { tasks: await idsOf(ctx, and(within(ctx, scope), ...conditions)) }),
    ...(authors && { authors }),
    ...(since && { since }),
  }
}

const named = (field: string) => `metadata_filters.${field}`

async function idsOf(ctx: Context, where: SQL | undefined): Promise<number[]> {
  const rows = await ctx.tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(where)
    .orderBy(desc(tasks.task_id))
    .limit(MOST_TASKS + 1)
  if (rows.length > MOST_TASKS)
    ctx.warn(
      'metadata_filters',
      'too_many',
      `More than ${MOST_TASKS} tasks fit; passages are from the newest of them. Name a board`,
    )
  return rows.slice(0, MOST_TASKS).map(({ task_id }) => task_id)
}
