import { and, asc, eq, inArray } from 'drizzle-orm'
import { labelsOf } from '../features/labels/index.ts'
import type { Project } from '../features/projects/index.ts'
import { skills } from '../features/skills/index.ts'
import { taskTemplates } from '../features/templates/index.ts'
import { endOf, timeEntries } from '../features/time/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { Line } from './lines.ts'
import { type Cast, order } from './names.ts'
import type { RecordOf } from './schema.ts'

interface Task {
  task_id: number
  ticket_number: string
}
type Template = RecordOf<'template'>
type Pattern = NonNullable<(typeof taskTemplates.$inferSelect)['subtasks']>[number]

/** The templates of a board. Labels that are gone are left out, as they are where one is used. */
export async function templatesOf(tx: Tx, board: Project, cast: Cast): Promise<Template[]> {
  const names = new Map((await labelsOf(tx, board)).map((one) => [one.label_id, one.name]))
  const { team_id, project_id } = board
  const rows = await tx
    .select()
    .from(taskTemplates)
    .where(and(eq(taskTemplates.team_id, team_id), eq(taskTemplates.project_id, project_id)))
    .orderBy(asc(taskTemplates.created_at), asc(taskTemplates.template_id))
  const patternOf = ({
    title,
    description,
    content_type,
    priority,
    estimate,
    label_ids,
  }: Pattern) => ({
    ...{ title, description, content_type, priority, estimate },
    labels: label_ids.flatMap((id) => names.get(id) ?? []).sort(order),
  })
  return rows.map((row) => ({
    ...{ board: board.key, name: row.name, ...patternOf(row) },
    subtasks: row.subtasks?.map(patternOf) ?? null,
    created_by: cast.of(row.created_by),
    created_at: row.created_at.toISOString(),
  }))
}

/** The skills of a board. */
export async function skillsOf(
  tx: Tx,
  { team_id, project_id, key: board }: Project,
  cast: Cast,
): Promise<RecordOf<'skill'>[]> {
  const rows = await tx
    .select()
    .from(skills)
    .where(and(eq(skills.team_id, team_id), eq(skills.project_id, project_id)))
    .orderBy(asc(skills.slug))
  return rows.map(({ slug, name, description, argument_hint, body, enabled, source, ...rest }) => ({
    ...{ board, slug, name, description, argument_hint, body, enabled, source },
    created_by: cast.of(rest.actor_id),
    last_used_at: rest.last_used_at?.toISOString() ?? null,
    created_at: rest.created_at.toISOString(),
    updated_at: rest.updated_at.toISOString(),
  }))
}

/** The time that was spent on some tasks; answers the lines of one of them. */
export async function timeOn(tx: Tx, team_id: number, rows: readonly Task[], about: Spent) {
  const ids = rows.map(({ task_id }) => task_id)
  const found = await tx
    .select()
    .from(timeEntries)
    .where(and(eq(timeEntries.team_id, team_id), inArray(timeEntries.task_id, ids)))
    .orderBy(asc(timeEntries.created_at), asc(timeEntries.entry_id))
  const byTask = Map.groupBy(found, ({ task_id }) => task_id)
  return function* ({ task_id, ticket_number: task }: Task): Generator<Line> {
    for (const one of byTask.get(task_id) ?? []) yield { time_entry: entryOf(one, task, about) }
  }
}

interface Spent {
  cast: Cast
  now: Date
}

/** Nobody is at work where the file goes: an open timer ends with its last pause, or now. */
function entryOf(
  one: typeof timeEntries.$inferSelect,
  task: string,
  { cast, now }: Spent,
): RecordOf<'time_entry'> {
  const { kind, started_at, day, note, created_at } = one
  const { stretches, seconds, ended_at } = endOf(one, now)
  return {
    ...{ task, who: cast.of(one.actor_id), kind },
    ...{ started_at: started_at.toISOString(), ended_at: ended_at.toISOString() },
    ...{ stretches, seconds, day, note },
    created_at: created_at.toISOString(),
  }
}
