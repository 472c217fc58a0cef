import { and, desc, eq, inArray, notInArray, notLike } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { changes } from '../../../../store/tables.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import { sectionsById } from '../../../boards/sections/model/index.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import type { Activity } from './schema.ts'
import { describeChange } from './wording.ts'

type Data = Record<string, unknown>

export const mayReadPages = ({ caller }: Pick<Context, 'caller'>) => caller.scopes.has('pages:read')

/**
 * Selects the changes that make up the activity of a task. Comments, inbox moves and changes that
 * only notify somebody are left out, and page changes for callers who may not read pages.
 */
export const activityCondition = (
  mayReadPages: boolean,
  { team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>,
) =>
  and(
    eq(changes.team_id, team_id),
    eq(changes.task_id, task_id),
    notLike(changes.type, 'comment.%'),
    notLike(changes.type, 'inbox.%'),
    notLike(changes.type, 'watcher.%'),
    notInArray(changes.type, ['task.mentioned', 'task.left']),
    mayReadPages ? undefined : notLike(changes.type, 'page.%'),
  )

const selectRecent = prepared((tx) => {
  const recent = (mayReadPages: boolean, name: string) =>
    tx
      .select()
      .from(changes)
      .where(
        activityCondition(mayReadPages, { team_id: param('team_id'), task_id: param('task_id') }),
      )
      .orderBy(desc(changes.created_at), desc(changes.seq))
      .limit(param('limit'))
      .prepare(name)
  return {
    all: recent(true, 'activity_recent'),
    withoutPages: recent(false, 'activity_recent_without_pages'),
  }
})

/** Returns the newest activity of a task, oldest first. */
export async function activityOf(ctx: Context, task: Task, limit: number): Promise<Activity[]> {
  const { team_id, task_id } = task
  const { all, withoutPages } = selectRecent(ctx.tx)
  const statement = mayReadPages(ctx) ? all : withoutPages
  const rows = await statement.execute({ team_id, task_id, limit })
  return toActivities(ctx, rows.reverse())
}

export async function activitiesBySeq(
  ctx: Context,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, Activity>> {
  if (!seqs.length) return new Map()
  const rows = await ctx.tx
    .select()
    .from(changes)
    .where(inArray(changes.seq, [...seqs]))
  const activities = await toActivities(ctx, rows)
  return new Map(rows.map(({ seq }, index) => [seq, activities[index]!]))
}

async function toActivities(ctx: Context, rows: readonly LoggedChange[]): Promise<Activity[]> {
  const actors = await actorsOf(
    ctx.tx,
    rows.map(({ actor_id }) => actor_id),
  )
  const { titlesIn, boards } = await titleResolver(ctx, rows)
  return rows.map(({ type, project_id, actor_id, created_at, data }) => {
    const titled = { ...data, ...titlesIn(data, project_id) }
    const before = { ...asData(data.before), ...titlesIn(asData(data.before), project_id) }
    const after = { ...asData(data.after), ...titlesIn(asData(data.after), project_id) }
    const changed = Array.isArray(data.changed) ? data.changed.map(String) : []
    return {
      type,
      actor: asActor(actors.get(actor_id)!),
      created_at: created_at.toISOString(),
      changed,
      before,
      after,
      summary: describeChange({ type, data: titled, changed, before, after }),
      ...(typeof data.run_id === 'number' && { run_id: data.run_id }),
      ...(boards.has(project_id ?? 0) && ruleOf(data)),
    }
  })
}

function ruleOf({ cause }: Data): Pick<Activity, 'rule' | 'rule_definition'> {
  const { sentence, definition } = asData(cause)
  if (typeof sentence !== 'string') return {}
  return {
    rule: sentence,
    ...(definition !== undefined && { rule_definition: asData(definition) }),
  }
}

const asData = (value: unknown): Data => (value && typeof value === 'object' ? (value as Data) : {})

/**
 * Returns the boards that the caller can see, and a function that resolves ids of columns and boards
 * to titles. Titles on boards that the caller cannot see are replaced.
 */
async function titleResolver(ctx: Context, rows: readonly LoggedChange[]) {
  const records = rows.flatMap(({ data }) => [data, asData(data.before), asData(data.after)])
  const columns = await sectionsById(ctx.tx, numbersIn(records, 'section_id'))
  const boards = new Map<number, string>()
  const projectIds = [
    ...numbersIn(records, 'project_id'),
    ...[...columns.values()].map(({ project_id }) => project_id),
    ...rows.flatMap(({ project_id }) => project_id ?? []),
  ]
  for (const project_id of new Set(projectIds)) {
    const project = await findVisibleProject(ctx, project_id)
    if (project) boards.set(project_id, project.title)
  }
  const titlesIn = ({ section_id, project_id, section }: Data, board: number | null): Data => {
    const column = columns.get(section_id as number)
    // The change of a deleted column carries its title.
    const [title, boardId] = column ? [column.title, column.project_id] : [section, board]
    const isVisible = typeof title === 'string' && boards.has(boardId ?? 0)
    return {
      ...(section_id !== undefined && { section: isVisible ? title : 'another column' }),
      ...(project_id !== undefined && {
        project: boards.get(project_id as number) ?? 'another board',
      }),
    }
  }
  return { titlesIn, boards }
}

const numbersIn = (records: readonly Data[], field: string): number[] => [
  ...new Set(records.map((record) => record[field]).filter((value) => typeof value === 'number')),
]
