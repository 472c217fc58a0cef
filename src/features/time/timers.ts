import { Type as t } from '@sinclair/typebox'
import { and } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import { aboutSeenTask, refuseDeleted, type Task, tasksById } from '../tasks/index.ts'
import { refuseLeaving } from './lost.ts'
import { noteOf } from './rules.ts'
import { aboutTask, maybeTask, Note, Status, TimeEntry } from './schema.ts'
import {
  banked,
  change,
  type Entry,
  ended,
  isOpen,
  isOwn,
  shownEntries,
  stateOf,
  taskOf,
  timerOf,
  told,
} from './store.ts'
import { timeEntries } from './tables.ts'

const ROUTE = '/api/v1/tasks/:task/timer'

export const start = operation({
  name: 'time.start',
  summary: 'Start your timer on a task',
  needs: 'tasks:write',
  on: {
    rest: `POST ${ROUTE}/start`,
    mcp: 'svc_time.start',
    cli: 'time start <task>',
    chat: true,
  },
  input: t.Object(aboutTask),
  output: TimeEntry,
  async run(named, ctx) {
    const task = await taskOf(ctx, named)
    refuseDeleted(task, 'task_identifier')
    const open = await timerOf(ctx, task)
    if (open) throw already(task, open)
    const { team_id, task_id } = task
    await refuseLeaving(ctx, team_id)
    const [entry] = await ctx.tx
      .insert(timeEntries)
      .values({
        ...{ team_id, task_id, actor_id: ctx.caller.actor_id, kind: 'timer' },
        ...{ started_at: ctx.now, running_since: ctx.now, created_at: ctx.now },
        ...{ stretches: [], seconds: 0 },
      })
      .returning()
    return told(ctx, 'started', task, entry!)
  },
})

function already({ ticket_number }: Task, timer: Entry) {
  const { entry_id, started_at, paused_at } = timer
  const since = (paused_at ?? started_at).toISOString()
  return fault.conflict(
    `Your timer on ${ticket_number} ${paused_at ? 'is paused' : 'runs'} since ${since}`,
    { field: 'task_identifier', entry_id, state: stateOf(timer), since },
    paused_at ? 'Resume it with svc_time resume' : 'Pause or stop it first',
  )
}

export const stop = operation({
  name: 'time.stop',
  summary: 'Stop your timer on a task; pauses do not count',
  needs: 'tasks:write',
  on: {
    rest: `POST ${ROUTE}/stop`,
    mcp: 'svc_time.stop',
    cli: 'time stop <task>',
    chat: true,
  },
  input: t.Object({ ...aboutTask, note: t.Optional(Note) }),
  output: TimeEntry,
  async run({ note, ...named }, ctx) {
    const task = await taskOf(ctx, named)
    const timer = await timerOf(ctx, task)
    if (!timer) throw missing(`You have no timer on ${task.ticket_number}`, named.task_identifier)
    const set = { ...ended(ctx, timer), note: noteOf(note) }
    return told(ctx, 'stopped', task, await change(ctx, timer, set))
  },
})

export const pause = operation({
  name: 'time.pause',
  summary: 'Pause your timer; without a task the only one that runs',
  needs: 'tasks:write',
  on: {
    rest: ['POST /api/v1/time/pause', `POST ${ROUTE}/pause`],
    mcp: 'svc_time.pause',
    cli: 'time pause [task_identifier]',
    chat: true,
  },
  input: t.Object(maybeTask),
  output: TimeEntry,
  async run(named, ctx) {
    const { task, timer } = await timerMeant(ctx, named, 'running')
    const still = { running_since: null, paused_at: ctx.now }
    return told(ctx, 'paused', task, await change(ctx, timer, { ...banked(ctx, timer), ...still }))
  },
})

export const resume = operation({
  name: 'time.resume',
  summary: 'Resume your timer; without a task the only one that is paused',
  needs: 'tasks:write',
  on: {
    rest: ['POST /api/v1/time/resume', `POST ${ROUTE}/resume`],
    mcp: 'svc_time.resume',
    cli: 'time resume [task_identifier]',
    chat: true,
  },
  input: t.Object(maybeTask),
  output: TimeEntry,
  async run(named, ctx) {
    const { task, timer } = await timerMeant(ctx, named, 'paused')
    const going = { running_since: ctx.now, paused_at: null }
    return told(ctx, 'resumed', task, await change(ctx, timer, going))
  },
})

interface MaybeNamed {
  task_identifier?: number | string
  project_id?: number
}
type State = 'running' | 'paused'

async function timerMeant(ctx: Context, named: MaybeNamed, state: State) {
  const { project_id, task_identifier = await onlyTask(ctx, state) } = named
  const own = named.task_identifier !== undefined && project_id !== undefined
  const task = await taskOf(ctx, { task_identifier, ...(own && { project_id }) })
  const timer = await timerOf(ctx, task)
  if (!timer) throw missing(`You have no timer on ${task.ticket_number}`, task_identifier)
  if (stateOf(timer) !== state) throw already(task, timer)
  return { task, timer }
}

/** The task of the one timer of the caller in that state. */
async function onlyTask(ctx: Context, state: State): Promise<number> {
  const mine = and(isOwn(ctx), isOpen, aboutSeenTask(ctx, timeEntries.task_id))
  const open = await ctx.tx.select().from(timeEntries).where(mine)
  const found = open.filter((one) => stateOf(one) === state)
  const [first, ...others] = found
  if (!first) throw missing(`None of your timers is ${state}`, undefined)
  if (!others.length) return first.task_id
  const about = await tasksById(
    ctx.tx,
    found.map(({ task_id }) => task_id),
  )
  const tickets = found.map(({ task_id }) => about.get(task_id)!.ticket_number)
  throw fault.conflict(
    `${found.length} of your timers are ${state}: ${tickets.slice(0, 20).join(', ')}`,
    { field: 'task_identifier', code: 'ambiguous', ticket_numbers: tickets.slice(0, 20) },
    'Say which with task_identifier',
  )
}

const missing = (message: string, value: unknown) =>
  fault.notFound(
    'task_identifier',
    message,
    value,
    'Your timers: svc_time running, or GET /api/v1/time/running',
  )

export const status = operation({
  name: 'time.status',
  summary: 'Your timer on a task',
  needs: 'tasks:read',
  on: {
    rest: `GET ${ROUTE}`,
    mcp: 'svc_time.status',
    cli: 'time status <task>',
    chat: true,
  },
  input: t.Object(aboutTask),
  output: Status,
  async run(named, ctx) {
    const task = await taskOf(ctx, named)
    const { task_id, ticket_number } = task
    const timer = await timerOf(ctx, task)
    if (!timer) return { task_id, ticket_number, state: 'none' as const, timer: null }
    const [shown] = await shownEntries(ctx, [timer])
    const state = timer.running_since ? ('running' as const) : ('paused' as const)
    return { task_id, ticket_number, state, timer: shown! }
  },
})
