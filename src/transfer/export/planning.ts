import { and, asc, eq, inArray } from 'drizzle-orm'
import { labelsOf } from '../../features/labels/index.ts'
import type { Project } from '../../features/projects/index.ts'
import { skills } from '../../features/skills/index.ts'
import { taskTemplates } from '../../features/templates/index.ts'
import { asEnded, timeEntries } from '../../features/time/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import type { Line } from '../lines.ts'
import { compare, type Participants } from '../participants.ts'
import type { RecordOf } from '../schema.ts'

interface Task {
  task_id: number
  ticket_number: string
}
type Template = RecordOf<'template'>
type Pattern = NonNullable<(typeof taskTemplates.$inferSelect)['subtasks']>[number]

/** The templates of a board. Deleted labels are left out, as they are when a template is used. */
export async function templatesOf(
  tx: Tx,
  board: Project,
  participants: Participants,
): Promise<Template[]> {
  const names = new Map((await labelsOf(tx, board)).map((label) => [label.label_id, label.name]))
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
    labels: label_ids.flatMap((id) => names.get(id) ?? []).sort(compare),
  })
  return rows.map((row) => ({
    ...{ board: board.key, name: row.name, ...patternOf(row) },
    subtasks: row.subtasks?.map(patternOf) ?? null,
    created_by: participants.nameOf(row.created_by),
    created_at: row.created_at.toISOString(),
  }))
}

/** The skills of a board. */
export async function skillsOf(
  tx: Tx,
  { team_id, project_id, key: board }: Project,
  participants: Participants,
): Promise<RecordOf<'skill'>[]> {
  const rows = await tx
    .select()
    .from(skills)
    .where(and(eq(skills.team_id, team_id), eq(skills.project_id, project_id)))
    .orderBy(asc(skills.slug))
  return rows.map(({ slug, name, description, argument_hint, body, enabled, source, ...rest }) => ({
    ...{ board, slug, name, description, argument_hint, body, enabled, source },
    created_by: participants.nameOf(rest.actor_id),
    last_used_at: rest.last_used_at?.toISOString() ?? null,
    created_at: rest.created_at.toISOString(),
    updated_at: rest.updated_at.toISOString(),
  }))
}

/** Loads the time entries of tasks. Returns a generator of one task's lines. */
export async function loadTimeEntries(
  tx: Tx,
  team_id: number,
  rows: readonly Task[],
  context: TimeContext,
) {
  const ids = rows.map(({ task_id }) => task_id)
  const entries = await tx
    .select()
    .from(timeEntries)
    .where(and(eq(timeEntries.team_id, team_id), inArray(timeEntries.task_id, ids)))
    .orderBy(asc(timeEntries.created_at), asc(timeEntries.entry_id))
  const byTask = Map.groupBy(entries, ({ task_id }) => task_id)
  return function* ({ task_id, ticket_number: task }: Task): Generator<Line> {
    for (const entry of byTask.get(task_id) ?? [])
      yield { time_entry: timeEntryRecord(entry, task, context) }
  }
}

interface TimeContext {
  participants: Participants
  now: Date
}

/** The export ends an open timer, at its last pause or now: it cannot run on another server. */
function timeEntryRecord(
  entry: typeof timeEntries.$inferSelect,
  task: string,
  { participants, now }: TimeContext,
): RecordOf<'time_entry'> {
  const { kind, started_at, day, note, created_at } = entry
  const { stretches, seconds, ended_at } = asEnded(entry, now)
  return {
    ...{ task, who: participants.nameOf(entry.actor_id), kind },
    ...{ started_at: started_at.toISOString(), ended_at: ended_at.toISOString() },
    ...{ stretches, seconds, day, note },
    created_at: created_at.toISOString(),
  }
}
