import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { asField } from '../../kernel/reference.ts'
import { actorsOf, asActor } from '../people/index.ts'
import { placeOf } from '../projects/index.ts'
import { type Address, aboutSeenTask, type Located, locateTask, tasksById } from '../tasks/index.ts'
import { counted, lengthOf, minutesOf, zoneWest } from './rules.ts'
import type { TimeEntry } from './schema.ts'
import { timeEntries } from './tables.ts'

export type Entry = typeof timeEntries.$inferSelect
type Task = Located['task']

interface Named {
  task_identifier: number | string
  project_id?: number
}

/** A number beside a board is the task's number there; alone it is the task's id. */
export function addressOf({ task_identifier, project_id }: Named): Address {
  const given = String(task_identifier).trim()
  const board = project_id !== undefined && { project_id }
  if (!/^\d{1,9}$/.test(given)) return { ticket_number: given, ...board }
  return board ? { unique_index: Number(given), ...board } : { task_id: Number(given) }
}

export const taskOf = async (ctx: Context, named: Named): Promise<Task> =>
  (await asField('task_identifier', locateTask(ctx, addressOf(named)))).task

export const zoneOf = ({ caller }: Context, west: number | undefined): string =>
  west === undefined ? caller.time_zone : zoneWest(west)

/** One's own of the teams one is in. */
export const isOwn = ({ caller }: Context): SQL =>
  and(
    inArray(timeEntries.team_id, [...caller.teams.keys()]),
    eq(timeEntries.actor_id, caller.actor_id),
  )!

export const isOpen = isNull(timeEntries.ended_at)

/** The caller's open timer on a task. */
export async function timerOf(ctx: Context, { task_id }: Task): Promise<Entry | undefined> {
  const its = and(isOwn(ctx), eq(timeEntries.task_id, task_id), isOpen)
  return (await ctx.tx.select().from(timeEntries).where(its))[0]
}

/** An entry of one's own with its task, which is held, so that nobody changes either. */
export async function findOwn(ctx: Context, entry_id: number) {
  const its = and(isOwn(ctx), eq(timeEntries.entry_id, entry_id))
  const seen = and(its, aboutSeenTask(ctx, timeEntries.task_id))
  const [found] = await ctx.tx.select().from(timeEntries).where(seen)
  const task = found && (await locateTask(ctx, { task_id: found.task_id })).task
  const [entry] = await ctx.tx.select().from(timeEntries).where(its)
  if (task && entry) return { entry, task }
  throw fault.notFound(
    'entry_id',
    `You have no time entry ${entry_id}`,
    entry_id,
    'List them: GET /api/v1/time',
  )
}

export async function change(ctx: Context, { entry_id }: Entry, set: Partial<Entry>) {
  const one = eq(timeEntries.entry_id, entry_id)
  const [entry] = await ctx.tx.update(timeEntries).set(set).where(one).returning()
  return entry!
}

/** What an entry comes to if it is not carried on: paused timers end with their pause. */
export function endOf(entry: Entry, now: Date) {
  const { stretches, seconds, ended_at, paused_at } = entry
  if (ended_at) return { stretches, seconds, ended_at }
  return { ...banked({ now }, entry), ended_at: paused_at ?? now }
}

/** What a timer has counted by now. */
export function banked({ now }: Pick<Context, 'now'>, { stretches, running_since }: Entry) {
  const all = counted(stretches, running_since, now)
  return { stretches: all, seconds: lengthOf(all) }
}

/** No earlier than what it counted, though a clock was put back since. */
const lastOf = ({ now }: Context, { started_at, stretches }: Entry): Date =>
  new Date(Math.max(now.getTime(), started_at.getTime(), ...stretches.map(([, to]) => to * 1000)))

export const ended = (ctx: Context, timer: Entry) => ({
  ...banked(ctx, timer),
  ...{ running_since: null, paused_at: null, ended_at: lastOf(ctx, timer) },
})

/** Tells of it at the task, and answers with the entry. */
export async function told(ctx: Context, what: string, task: Task, entry: Entry) {
  const { ticket_number, task_id } = task
  const [shown] = await shownEntries(ctx, [entry])
  const { entry_id, seconds } = shown!
  ctx.emit(`time.${what}`, { ...placeOf(task), task_id }, { ticket_number, entry_id, seconds })
  return shown!
}

export async function shownEntries(ctx: Context, rows: readonly Entry[]): Promise<TimeEntry[]> {
  const about = await tasksById(
    ctx.tx,
    rows.map(({ task_id }) => task_id),
  )
  const actors = await actorsOf(
    ctx.tx,
    rows.map(({ actor_id }) => actor_id),
  )
  return rows.map((row) => {
    const { task_id, ticket_number, title, project_id } = about.get(row.task_id)!
    const seconds = lasting(row, ctx.now)
    const isLogged = row.kind === 'logged'
    return {
      ...{ entry_id: row.entry_id, task_id, ticket_number, title, project_id },
      actor: asActor(actors.get(row.actor_id)!),
      state: stateOf(row),
      ...{ seconds, minutes: minutesOf(seconds) },
      started_at: isLogged ? null : row.started_at.toISOString(),
      paused_at: row.paused_at?.toISOString() ?? null,
      ended_at: isLogged ? null : (row.ended_at?.toISOString() ?? null),
      ...{ date: row.day, note: row.note, created_at: row.created_at.toISOString() },
    }
  })
}

const lasting = ({ kind, seconds, stretches, running_since }: Entry, now: Date): number =>
  kind === 'logged' ? seconds : lengthOf(counted(stretches, running_since, now))

export function stateOf({ kind, ended_at, running_since }: Entry): TimeEntry['state'] {
  if (kind === 'logged') return 'logged'
  return ended_at ? 'stopped' : running_since ? 'running' : 'paused'
}
