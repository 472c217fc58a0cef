import { and, desc, eq, inArray, notInArray, notLike } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import type { Logged } from '../../store/log.ts'
import { changes } from '../../store/tables.ts'
import { actorsOf, asActor } from '../people/index.ts'
import { seenProject } from '../projects/index.ts'
import { sectionsById } from '../sections/index.ts'
import type { Task } from '../tasks/index.ts'
import type { Activity } from './schema.ts'
import { inWords } from './wording.ts'

type Told = Record<string, unknown>

/** What happened to a task: neither talk nor what was only news to somebody. */
export const happenedTo = (
  { caller }: Pick<Context, 'caller'>,
  { team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>,
) =>
  and(
    eq(changes.team_id, team_id),
    eq(changes.task_id, task_id),
    notLike(changes.type, 'comment.%'),
    notLike(changes.type, 'inbox.%'),
    notInArray(changes.type, ['task.mentioned', 'task.left']),
    caller.scopes.has('pages:read') ? undefined : notLike(changes.type, 'page.%'),
  )

/** The newest of it, in the order in which it happened. */
export async function activityOf(ctx: Context, task: Task, most: number): Promise<Activity[]> {
  const rows = await ctx.tx
    .select()
    .from(changes)
    .where(happenedTo(ctx, task))
    .orderBy(desc(changes.created_at), desc(changes.seq))
    .limit(most)
  return shownActivity(ctx, rows.reverse())
}

export async function activitiesOf(
  ctx: Context,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, Activity>> {
  if (!seqs.length) return new Map()
  const rows = await ctx.tx
    .select()
    .from(changes)
    .where(inArray(changes.seq, [...seqs]))
  const shown = await shownActivity(ctx, rows)
  return new Map(rows.map(({ seq }, at) => [seq, shown[at]!]))
}

async function shownActivity(ctx: Context, rows: readonly Logged[]): Promise<Activity[]> {
  const actors = await actorsOf(
    ctx.tx,
    rows.map(({ actor_id }) => actor_id),
  )
  const title = await titlesFor(ctx, rows)
  return rows.map(({ type, project_id, actor_id, created_at, data }) => {
    const titled = { ...data, ...title(data, project_id) }
    const before = { ...told(data.before), ...title(told(data.before), project_id) }
    const after = { ...told(data.after), ...title(told(data.after), project_id) }
    const changed = Array.isArray(data.changed) ? data.changed.map(String) : []
    return {
      type,
      actor: asActor(actors.get(actor_id)!),
      created_at: created_at.toISOString(),
      ...{ changed, before, after },
      summary: inWords({ type, data: titled, changed, before, after }),
    }
  })
}

const told = (value: unknown): Told => (value && typeof value === 'object' ? (value as Told) : {})

/** Titles of columns and boards, of those that the caller can see. */
async function titlesFor(ctx: Context, rows: readonly Logged[]) {
  const sides = rows.flatMap(({ data }) => [data, told(data.before), told(data.after)])
  const columns = await sectionsById(ctx.tx, numbers(sides, 'section_id'))
  const boards = new Map<number, string>()
  const named = [
    ...numbers(sides, 'project_id'),
    ...[...columns.values()].map(({ project_id }) => project_id),
    ...rows.flatMap(({ project_id }) => project_id ?? []),
  ]
  for (const project_id of new Set(named)) {
    const project = await seenProject(ctx, project_id)
    if (project) boards.set(project_id, project.title)
  }
  return ({ section_id, project_id, section }: Told, board: number | null): Told => {
    const column = columns.get(section_id as number)
    // A column that was deleted has the title that the log kept.
    const [title, on] = column ? [column.title, column.project_id] : [section, board]
    const isSeen = typeof title === 'string' && boards.has(on ?? 0)
    return {
      ...(section_id !== undefined && { section: isSeen ? title : 'another column' }),
      ...(project_id !== undefined && {
        project: boards.get(project_id as number) ?? 'another board',
      }),
    }
  }
}

const numbers = (sides: readonly Told[], field: string): number[] => [
  ...new Set(sides.map((side) => side[field]).filter((value) => typeof value === 'number')),
]
