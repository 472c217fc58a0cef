import { Type as t } from '@sinclair/typebox'
import { and } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import {
  onVisibleTask,
  refuseDeleted,
  type Task,
  tasksById,
} from '../../../tasks/tasks/model/index.ts'
import { requireCurrentRole } from '../model/hidden-timers.ts'
import { normalizeNote } from '../model/rules.ts'
import { aboutTask, maybeTask, Note, Status, TimeEntry } from '../model/schema.ts'
import {
  countedTime,
  type Entry,
  emitTimeChange,
  endedFields,
  findTask,
  findTimer,
  isOpen,
  isOwn,
  stateOf,
  toTimeEntries,
  updateEntry,
} from '../model/store.ts'
import { timeEntries } from '../model/tables.ts'

const ROUTE = '/api/v1/tasks/:task/timer'

export const start = operation({
  name: 'time.start',
  summary: 'Start your timer on a task',
  needs: 'tasks:write',
  on: {
    rest: `POST ${ROUTE}/start`,
    mcp: 'svc_time.start',
    cli: { usage: 'time start <task>', example: 'HOM-1' },
    chat: true,
  },
  input: t.Object(aboutTask),
  output: TimeEntry,
  async run(ref, ctx) {
    const task = await findTask(ctx, ref)
    refuseDeleted(task, 'task_identifier')
    const existing = await findTimer(ctx, task)
    if (existing) throw timerExists(task, existing)
    const { team_id, task_id } = task
    await requireCurrentRole(ctx, team_id)
    const [entry] = await ctx.tx
      .insert(timeEntries)
      .values({
        team_id,
        task_id,
        actor_id: ctx.caller.actor_id,
        kind: 'timer',
        started_at: ctx.now,
        running_since: ctx.now,
        created_at: ctx.now,
        stretches: [],
        seconds: 0,
      })
      .returning()
    return emitTimeChange(ctx, 'started', task, entry!)
  },
})

function timerExists({ ticket_number }: Task, timer: Entry) {
  const { entry_id, started_at, paused_at } = timer
  const since = (paused_at ?? started_at).toISOString()
  return fault.conflict(
    `Your timer on ${ticket_number} ${paused_at ? 'has been paused' : 'has been running'} since ${since}`,
    { field: 'task_identifier', entry_id, state: stateOf(timer), since },
    paused_at ? 'Resume it with svc_time resume' : 'Pause or stop it first',
  )
}

export const stop = operation({
  name: 'time.stop',
  summary: 'Stop your timer on a task; pauses are not counted',
  needs: 'tasks:write',
  on: {
    rest: `POST ${ROUTE}/stop`,
    mcp: 'svc_time.stop',
    cli: { usage: 'time stop <task>', example: "HOM-2 --note 'Two sketches'" },
    chat: true,
  },
  input: t.Object({ ...aboutTask, note: t.Optional(Note) }),
  output: TimeEntry,
  async run({ note, ...ref }, ctx) {
    const task = await findTask(ctx, ref)
    const timer = await findTimer(ctx, task)
    if (!timer)
      throw timerNotFound(`You have no timer on ${task.ticket_number}`, ref.task_identifier)
    const set = { ...endedFields(ctx, timer), note: normalizeNote(note) }
    return emitTimeChange(ctx, 'stopped', task, await updateEntry(ctx, timer, set))
  },
})

export const pause = operation({
  name: 'time.pause',
  summary: 'Pause your timer; default: the only running one',
  needs: 'tasks:write',
  on: {
    rest: ['POST /api/v1/time/pause', `POST ${ROUTE}/pause`],
    mcp: 'svc_time.pause',
    cli: { usage: 'time pause [task_identifier]', example: '' },
    chat: true,
  },
  input: t.Object(maybeTask),
  output: TimeEntry,
  async run(ref, ctx) {
    const { task, timer } = await findTimerInState(ctx, ref, 'running')
    const pausedFields = { running_since: null, paused_at: ctx.now }
    return emitTimeChange(
      ctx,
      'paused',
      task,
      await updateEntry(ctx, timer, { ...countedTime(ctx, timer), ...pausedFields }),
    )
  },
})

export const resume = operation({
  name: 'time.resume',
  summary: 'Resume your timer; default: the only paused one',
  needs: 'tasks:write',
  on: {
    rest: ['POST /api/v1/time/resume', `POST ${ROUTE}/resume`],
    mcp: 'svc_time.resume',
    cli: { usage: 'time resume [task_identifier]', example: '' },
    chat: true,
  },
  input: t.Object(maybeTask),
  output: TimeEntry,
  async run(ref, ctx) {
    const { task, timer } = await findTimerInState(ctx, ref, 'paused')
    const runningFields = { running_since: ctx.now, paused_at: null }
    return emitTimeChange(ctx, 'resumed', task, await updateEntry(ctx, timer, runningFields))
  },
})

interface OptionalTaskRef {
  task_identifier?: number | string
  project_id?: number
}
type State = 'running' | 'paused'

async function findTimerInState(ctx: Context, ref: OptionalTaskRef, state: State) {
  const { project_id, task_identifier = await onlyTask(ctx, state) } = ref
  const hasBoard = ref.task_identifier !== undefined && project_id !== undefined
  const task = await findTask(ctx, { task_identifier, ...(hasBoard && { project_id }) })
  const timer = await findTimer(ctx, task)
  if (!timer) throw timerNotFound(`You have no timer on ${task.ticket_number}`, task_identifier)
  if (stateOf(timer) !== state) throw timerExists(task, timer)
  return { task, timer }
}

/** Returns the task of the caller's only timer in that state. Throws if there are several. */
async function onlyTask(ctx: Context, state: State): Promise<number> {
  const condition = and(isOwn(ctx), isOpen, onVisibleTask(ctx, timeEntries.task_id))
  const open = await ctx.tx.select().from(timeEntries).where(condition)
  const found = open.filter((timer) => stateOf(timer) === state)
  const [first, ...others] = found
  if (!first) throw timerNotFound(`None of your timers is ${state}`, undefined)
  if (!others.length) return first.task_id
  const taskMap = await tasksById(
    ctx.tx,
    found.map(({ task_id }) => task_id),
  )
  const tickets = found.map(({ task_id }) => taskMap.get(task_id)!.ticket_number)
  throw fault.conflict(
    `${found.length} of your timers are ${state}: ${tickets.slice(0, 20).join(', ')}`,
    { field: 'task_identifier', code: 'ambiguous', ticket_numbers: tickets.slice(0, 20) },
    'Send task_identifier',
  )
}

const timerNotFound = (message: string, value: unknown) =>
  fault.notFound(
    'task_identifier',
    message,
    value,
    'List your timers: svc_time running, or GET /api/v1/time/running',
  )

export const status = operation({
  name: 'time.status',
  summary: 'Your timer on a task',
  needs: 'tasks:read',
  dependsOn: [{ about: 'task', changes: ['time'] }],
  on: {
    rest: `GET ${ROUTE}`,
    mcp: 'svc_time.status',
    cli: { usage: 'time status <task>', example: 'HOM-1' },
    chat: true,
  },
  input: t.Object(aboutTask),
  output: Status,
  async run(ref, ctx) {
    const task = await findTask(ctx, ref)
    const { task_id, ticket_number } = task
    const timer = await findTimer(ctx, task)
    if (!timer) return { task_id, ticket_number, state: 'none' as const, timer: null }
    const [record] = await toTimeEntries(ctx, [timer])
    const state = timer.running_since ? ('running' as const) : ('paused' as const)
    return { task_id, ticket_number, state, timer: record! }
  },
})
