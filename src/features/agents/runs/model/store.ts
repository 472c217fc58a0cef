import { and, eq, inArray } from 'drizzle-orm'
import { truncate } from '../../../../content/index.ts'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import type { ChangeType } from '../../../../kernel/changes.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import {
  findProject,
  findVisibleProject,
  type Project,
  placeOf,
} from '../../../boards/projects/model/index.ts'
import { type ActorRow, actorsOf } from '../../../identity/people/model/index.ts'
import { participantIds } from '../../../tasks/assignees/model/index.ts'
import { type Task, taskById } from '../../../tasks/tasks/model/index.ts'
import { watchersAmong } from '../../../tasks/watchers/model/index.ts'
import {
  type EntryKind,
  isOver,
  type Origin,
  STATE_EVENTS,
  type State,
  stateAfterPrompt,
} from './rules.ts'
import { runEntries, runs } from './tables.ts'

export type Run = typeof runs.$inferSelect
export interface Found {
  run: Run
  task: Task
  project: Project
}

/** Who changes a run: a caller, or a follower of the change log on somebody's behalf. */
export interface ActingAs extends Pick<Context, 'tx' | 'now' | 'emit'> {
  by: number
}

export const actingAs = ({ tx, now, emit, caller }: Context): ActingAs => ({
  tx,
  now,
  emit,
  by: caller.actor_id,
})

const OPEN = ['queued', 'running', 'waiting'] as const

/** Loads a run if the caller can see the board of its task. Operations that write lock its row. */
export async function findRun(ctx: Context, run_id: number): Promise<Found> {
  const { tx, needs } = ctx
  const query = tx.select().from(runs).where(eq(runs.run_id, run_id))
  const [run] = await (needs.endsWith(':read') ? query : forUpdate(query))
  const task = run && (await taskById(tx, run.task_id))
  if (!task || !(await findVisibleProject(ctx, task.project_id)))
    throw fault.notFound(
      'run_id',
      `There is no run ${run_id} that you can see`,
      run_id,
      'List the runs of a task: GET /api/v1/tasks/{task}/runs',
    )
  return { run: run!, task, project: await findProject(ctx, task.project_id) }
}

/** Locks the one open run that an agent has on a task. */
export async function lockOpenRun(
  tx: Tx,
  { team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>,
  actor_id: number,
): Promise<Run | undefined> {
  const own = and(eq(runs.team_id, team_id), eq(runs.task_id, task_id), eq(runs.actor_id, actor_id))
  const query = tx
    .select()
    .from(runs)
    .where(and(own, inArray(runs.state, [...OPEN])))
  const [run] = await forUpdate(query)
  return run
}

export interface RunStart {
  origin: Origin
  prompt?: string | undefined
  comment_id?: number | null | undefined
}

/** Creates a run; undefined if the agent already has an open one on this task. */
export async function createRun(
  on: ActingAs,
  task: Task,
  agent: ActorRow,
  { origin, prompt, comment_id = null }: RunStart,
): Promise<Run | undefined> {
  const { tx, now, by } = on
  const isSelf = origin === 'self'
  const [created] = await tx
    .insert(runs)
    .values({
      team_id: task.team_id,
      project_id: task.project_id,
      task_id: task.task_id,
      actor_id: agent.actor_id,
      origin,
      comment_id,
      created_by: by,
      state: isSelf ? 'running' : 'queued',
      entries: 0,
      created_at: now,
      updated_at: now,
      started_at: isSelf ? now : null,
    })
    .onConflictDoNothing()
    .returning()
  if (!created) return undefined
  const run = prompt === undefined ? created : await addPrompt(on, created, prompt)
  await emitRun(on, 'run.created', task, run, { origin, ...promptData(run) })
  return run
}

/** Adds a prompt to an open run. */
export async function promptRun(
  on: ActingAs,
  task: Task,
  run: Run,
  text: string,
  comment_id: number | null = null,
): Promise<Run> {
  const after = await addPrompt(
    on,
    { ...run, comment_id, state: stateAfterPrompt(run.state) },
    text,
  )
  await emitRun(on, 'run.prompted', task, after, promptData(after))
  return after
}

async function addPrompt(on: ActingAs, run: Run, prompt: string): Promise<Run> {
  const { comment_id, state } = run
  const set = { prompt, comment_id, state, prompted_by: on.by }
  return addEntries(on, run, [{ kind: 'prompt', text: prompt, at: on.now }], set)
}

export interface Line {
  kind: EntryKind
  text: string
  at: Date
}

/** Appends to the transcript of a locked run, and updates its entry count and last entry. */
export async function addEntries(
  { tx, now, by }: ActingAs,
  { team_id, run_id, entries }: Run,
  lines: readonly Line[],
  set: Partial<Run> = {},
): Promise<Run> {
  const rows = lines.map((line, at) => ({
    team_id,
    run_id,
    number: entries + at + 1,
    author_id: by,
    ...line,
  }))
  await tx.insert(runEntries).values(rows)
  const last_entry = truncate(lines.at(-1)!.text)
  return updateRun(tx, run_id, {
    ...set,
    entries: entries + lines.length,
    last_entry,
    updated_at: now,
  })
}

/** Changes the state of a locked run. */
export async function moveRun(
  on: ActingAs,
  task: Task,
  run: Run,
  set: Partial<
    Pick<Run, 'state' | 'summary' | 'reason' | 'input_tokens' | 'output_tokens' | 'cost_micro_usd'>
  >,
): Promise<Run> {
  const { now } = on
  const { state = run.state } = set
  const enters = state !== run.state
  const after = await updateRun(on.tx, run.run_id, {
    ...set,
    updated_at: now,
    ...(enters && state === 'running' && !run.started_at && { started_at: now }),
    ...(enters && isOver(state) && { ended_at: now }),
  })
  if (enters && state !== 'queued')
    await emitRun(on, STATE_EVENTS[state], task, after, endData(after))
  return after
}

async function updateRun(tx: Tx, run_id: number, set: Partial<Run>): Promise<Run> {
  const [run] = await tx.update(runs).set(set).where(eq(runs.run_id, run_id)).returning()
  return run!
}

/** Messages and the change log contain only the beginning of long texts. */
const MAX_TOLD = 2000
const clip = (text: string | null) => text?.slice(0, MAX_TOLD).toWellFormed() ?? null

const promptData = ({ prompt, comment_id }: Run) => ({
  prompt: clip(prompt),
  ...(comment_id !== null && { comment_id }),
})

const endData = (run: Run) => ({
  ...(run.state === 'stopped' ? { reason: clip(run.reason) } : { summary: clip(run.summary) }),
  ...(isOver(run.state) && { askers: askersOf(run) }),
  // Without anybody who asked, the agent waits for the people on the task.
  ...(run.state === 'waiting' && {
    askers: askersOf(run).filter((actor_id) => actor_id !== run.actor_id),
  }),
})

/** Who is waiting for the result. */
const askersOf = ({ created_by, prompted_by }: Run) => [
  ...new Set([created_by, prompted_by ?? created_by]),
]

/** Has no task_id in its place, so that the activity of the task does not list every entry. */
export async function emitTranscript(on: ActingAs, before: Run, after: Run): Promise<void> {
  const task = (await taskById(on.tx, before.task_id))!
  const agent = (await actorsOf(on.tx, [before.actor_id])).get(before.actor_id)!
  const [first, last] = [before.entries + 1, after.entries]
  const { task_id, ticket_number } = task
  const { agent_id } = agent
  const data = { run_id: before.run_id, agent_id, task_id, ticket_number, first, last }
  on.emit('run.transcript', placeOf(task), data)
}

const NOTIFIED: readonly string[] = [STATE_EVENTS.done, STATE_EVENTS.failed, STATE_EVENTS.waiting]

export async function emitRun(
  on: ActingAs,
  type: ChangeType<'run'>,
  task: Task,
  run: Run,
  data: object,
) {
  const agent = (await actorsOf(on.tx, [run.actor_id])).get(run.actor_id)!
  const { task_id, ticket_number, title } = task
  const { run_id, state } = run
  const { agent_id, name: agent_name } = agent
  const runData = { run_id, agent_id, agent_name, task_id, ticket_number, title, state }
  const recipients = NOTIFIED.includes(type)
    ? { participants: await watchersAmong(on.tx, task, await participantIds(on.tx, task)) }
    : undefined
  on.emit(type, { ...placeOf(task), task_id }, { ...runData, ...data }, recipients)
}

/** Locks the open runs of a task or of an agent, oldest first. */
export function lockOpenRuns(
  tx: Tx,
  team_id: number,
  of: { task_id: number; actor_id?: number } | { actor_id: number },
  states: readonly State[] = OPEN,
): Promise<Run[]> {
  const { task_id, actor_id } = of as { task_id?: number; actor_id?: number }
  const query = tx
    .select()
    .from(runs)
    .where(
      and(
        eq(runs.team_id, team_id),
        task_id === undefined ? undefined : eq(runs.task_id, task_id),
        actor_id === undefined ? undefined : eq(runs.actor_id, actor_id),
        inArray(runs.state, [...states]),
      ),
    )
    .orderBy(runs.run_id)
  return forUpdate(query)
}
