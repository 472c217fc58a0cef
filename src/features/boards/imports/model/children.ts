import { and, eq } from 'drizzle-orm'
import { Fault } from '../../../../kernel/fault.ts'
import { link, relations } from '../../../tasks/relations/model/index.ts'
import { type Task, taskById } from '../../../tasks/tasks/model/index.ts'
import { startOf } from '../../../time/dates/model/index.ts'
import { timeEntries } from '../../../time/time/model/index.ts'
import { placeOf } from '../../projects/model/index.ts'
import type { Batch } from './batch.ts'
import type { Content, Written } from './schema.ts'

export async function importTime(
  batch: Batch,
  record: Content<'time_entry'>,
  field: string,
): Promise<Written> {
  const { ctx, known } = batch
  await known.load('time_entry', [record.id])
  const before = known.get('time_entry', record.id)
  if (before) return { outcome: 'unchanged', row_id: before.row_id }
  const task = await taskOf(batch, record.task, `${field}.task`)
  const started_at = startOf(record.day, ctx.caller.time_zone)
  const seconds = record.minutes * 60
  const [row] = await ctx.tx
    .insert(timeEntries)
    .values({
      team_id: task.team_id,
      task_id: task.task_id,
      actor_id: batch.actorId(record.who, `${field}.who`),
      kind: 'logged',
      started_at,
      running_since: null,
      paused_at: null,
      ended_at: new Date(started_at.getTime() + seconds * 1000),
      stretches: [],
      seconds,
      day: record.day,
      note: record.note ?? null,
      created_at: ctx.now,
    })
    .returning({ entry_id: timeEntries.entry_id })
  const { entry_id } = row!
  await known.add('time_entry', [
    { source_id: record.id, row_id: entry_id, created: true, digests: null },
  ])
  const { ticket_number, task_id } = task
  ctx.emit('time.logged', { ...placeOf(task), task_id }, { ticket_number, entry_id, seconds })
  return { outcome: 'created', row_id: entry_id }
}

/** Links two tasks. Two tasks that would block each other are only related. */
export async function importRelation(
  batch: Batch,
  record: Content<'relation'>,
  field: string,
): Promise<Written> {
  const { ctx, known } = batch
  const { kind, first, second } = record
  const source_id = `${kind} ${first} ${second}`.slice(0, 1100)
  await known.load('relation', [source_id])
  const before = known.get('relation', source_id)
  if (before) return { outcome: 'unchanged', row_id: before.row_id }
  const [source, target] = [
    await taskOf(batch, first, `${field}.first`),
    await taskOf(batch, second, `${field}.second`),
  ]
  const create = async (type: 'BlockedTo' | 'RelatedTo') =>
    ctx.attempt(
      async () => [],
      async () => (await link(ctx, source, target, type)).relation_id,
    )
  let problem: string | undefined
  const related = async (error: unknown) => {
    if (!(error instanceof Fault)) throw error
    problem = error.message
    return kind === 'blocks' ? create('RelatedTo').catch(ignoreFault) : 0
  }
  const row_id = await create(kind === 'blocks' ? 'BlockedTo' : 'RelatedTo').catch(related)
  const existing = row_id || (await relationBetween(batch, source, target))
  await known.add('relation', [{ source_id, row_id: existing, created: row_id > 0, digests: null }])
  return {
    outcome: row_id ? 'created' : 'unchanged',
    row_id: existing,
    ...(problem && { problem }),
  }
}

const ignoreFault = (error: unknown): number => {
  if (error instanceof Fault) return 0
  throw error
}

async function relationBetween(
  { ctx: { tx } }: Batch,
  source: Task,
  target: Task,
): Promise<number> {
  const [first_id, second_id] = [source.task_id, target.task_id].sort((a, b) => a - b)
  const [row] = await tx
    .select({ relation_id: relations.relation_id })
    .from(relations)
    .where(
      and(
        eq(relations.team_id, source.team_id),
        eq(relations.first_id, first_id!),
        eq(relations.second_id, second_id!),
      ),
    )
  return row?.relation_id ?? 0
}

async function taskOf(batch: Batch, id: string, field: string): Promise<Task> {
  const task = await taskById(batch.ctx.tx, batch.taskId(id, field))
  if (task) return task
  throw new Error(`Row of the imported task ${id} is missing`)
}
