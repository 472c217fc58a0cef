import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import type { ChangeVerb } from '../../../../kernel/changes.ts'
import { fault } from '../../../../kernel/fault.ts'
import { asField } from '../../../../kernel/reference.ts'
import { placeOf } from '../../../boards/projects/model/index.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import {
  type Address,
  type Located,
  locateTask,
  onVisibleTask,
  tasksById,
} from '../../../tasks/tasks/model/index.ts'
import { lengthOf, minutesOf, stretchesUntil, zoneFromOffset } from './rules.ts'
import type { TimeEntry } from './schema.ts'
import { timeEntries } from './tables.ts'

export type Entry = typeof timeEntries.$inferSelect
type Task = Located['task']

interface TaskRef {
  task_identifier: number | string
  project_id?: number
}

/** With a board, a number is the number of the task on it. Without one, it is the task id. */
export function addressOf({ task_identifier, project_id }: TaskRef): Address {
  const ref = String(task_identifier).trim()
  const board = project_id !== undefined && { project_id }
  if (!/^\d{1,9}$/.test(ref)) return { ticket_number: ref, ...board }
  return board ? { unique_index: Number(ref), ...board } : { task_id: Number(ref) }
}

export const findTask = async (ctx: Context, ref: TaskRef): Promise<Task> =>
  (await asField('task_identifier', locateTask(ctx, addressOf(ref)))).task

export const zoneOf = ({ caller }: Context, offset: number | undefined): string =>
  offset === undefined ? caller.time_zone : zoneFromOffset(offset)

/** Selects the caller's entries in the teams that the caller belongs to. */
export const isOwn = ({ caller }: Context): SQL =>
  and(
    inArray(timeEntries.team_id, [...caller.teams.keys()]),
    eq(timeEntries.actor_id, caller.actor_id),
  )!

export const isOpen = isNull(timeEntries.ended_at)

/** Returns the caller's open timer on a task. */
export async function findTimer(ctx: Context, { task_id }: Task): Promise<Entry | undefined> {
  const condition = and(isOwn(ctx), eq(timeEntries.task_id, task_id), isOpen)
  return (await ctx.tx.select().from(timeEntries).where(condition))[0]
}

/** Loads an entry of the caller and its task. The task is locked, so neither can change. */
export async function findOwn(ctx: Context, entry_id: number) {
  const condition = and(isOwn(ctx), eq(timeEntries.entry_id, entry_id))
  const visible = and(condition, onVisibleTask(ctx, timeEntries.task_id))
  const [found] = await ctx.tx.select().from(timeEntries).where(visible)
  const task = found && (await locateTask(ctx, { task_id: found.task_id })).task
  const [entry] = await ctx.tx.select().from(timeEntries).where(condition)
  if (task && entry) return { entry, task }
  throw fault.notFound(
    'entry_id',
    `You have no time entry ${entry_id}`,
    entry_id,
    'List them: GET /api/v1/time',
  )
}

export async function updateEntry(ctx: Context, { entry_id }: Entry, set: Partial<Entry>) {
  const byId = eq(timeEntries.entry_id, entry_id)
  const [entry] = await ctx.tx.update(timeEntries).set(set).where(byId).returning()
  return entry!
}

/** Returns an entry as if it had ended. A paused timer ends with its pause. */
export function asEnded(entry: Entry, now: Date) {
  const { stretches, seconds, ended_at, paused_at } = entry
  if (ended_at) return { stretches, seconds, ended_at }
  return { ...countedTime({ now }, entry), ended_at: paused_at ?? now }
}

/** Returns the time that a timer has counted so far. */
export function countedTime({ now }: Pick<Context, 'now'>, { stretches, running_since }: Entry) {
  const updated = stretchesUntil(stretches, running_since, now)
  return { stretches: updated, seconds: lengthOf(updated) }
}

/** Never earlier than the counted time, even if the clock was set back. */
const endTime = ({ now }: Context, { started_at, stretches }: Entry): Date =>
  new Date(Math.max(now.getTime(), started_at.getTime(), ...stretches.map(([, to]) => to * 1000)))

export const endedFields = (ctx: Context, timer: Entry) => ({
  ...countedTime(ctx, timer),
  running_since: null,
  paused_at: null,
  ended_at: endTime(ctx, timer),
})

/** Emits a change on the task and returns the entry as an API record. */
export async function emitTimeChange(
  ctx: Context,
  verb: ChangeVerb<'time'>,
  task: Task,
  entry: Entry,
) {
  const { ticket_number, task_id } = task
  const [record] = await toTimeEntries(ctx, [entry])
  const { entry_id, seconds } = record!
  ctx.emit(`time.${verb}`, { ...placeOf(task), task_id }, { ticket_number, entry_id, seconds })
  return record!
}

export async function toTimeEntries(ctx: Context, rows: readonly Entry[]): Promise<TimeEntry[]> {
  const taskMap = await tasksById(
    ctx.tx,
    rows.map(({ task_id }) => task_id),
  )
  const actors = await actorsOf(
    ctx.tx,
    rows.map(({ actor_id }) => actor_id),
  )
  return rows.map((row) => {
    const { task_id, ticket_number, title, project_id } = taskMap.get(row.task_id)!
    const seconds = secondsSpent(row, ctx.now)
    const isLogged = row.kind === 'logged'
    return {
      entry_id: row.entry_id,
      task_id,
      ticket_number,
      title,
      project_id,
      actor: asActor(actors.get(row.actor_id)!),
      state: stateOf(row),
      seconds,
      minutes: minutesOf(seconds),
      started_at: isLogged ? null : row.started_at.toISOString(),
      paused_at: row.paused_at?.toISOString() ?? null,
      ended_at: isLogged ? null : (row.ended_at?.toISOString() ?? null),
      date: row.day,
      note: row.note,
      created_at: row.created_at.toISOString(),
    }
  })
}

const secondsSpent = ({ kind, seconds, stretches, running_since }: Entry, now: Date): number =>
  kind === 'logged' ? seconds : lengthOf(stretchesUntil(stretches, running_since, now))

export function stateOf({ kind, ended_at, running_since }: Entry): TimeEntry['state'] {
  if (kind === 'logged') return 'logged'
  return ended_at ? 'stopped' : running_since ? 'running' : 'paused'
}
