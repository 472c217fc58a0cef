import { and, eq, inArray } from 'drizzle-orm'
import { briefly } from '../../content/index.ts'
import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { held } from '../../store/columns.ts'
import { type ActorRow, actorsOf } from '../people/index.ts'
import { findProject, type Project, placeOf, seenProject } from '../projects/index.ts'
import { concernedWith, type Task, taskById } from '../tasks/index.ts'
import { type EntryKind, isOver, type Origin, prompted, type State, TOLD } from './rules.ts'
import { runEntries, runs } from './tables.ts'

export type Run = typeof runs.$inferSelect
export interface Found {
  run: Run
  task: Task
  project: Project
}

/** What changes a run: a call, or what follows the change log in somebody's name. */
export interface Acting extends Pick<Context, 'tx' | 'now' | 'emit'> {
  by: number
}

export const acting = ({ tx, now, emit, caller }: Context): Acting => ({
  ...{ tx, now, emit },
  by: caller.actor_id,
})

const OPEN = ['queued', 'running', 'waiting'] as const

/** The run, if the caller can see the board of its task; whoever writes holds its row. */
export async function findRun(ctx: Context, run_id: number): Promise<Found> {
  const { tx, needs } = ctx
  const query = tx.select().from(runs).where(eq(runs.run_id, run_id))
  const [run] = await (needs.endsWith(':read') ? query : held(query))
  const task = run && (await taskById(tx, run.task_id))
  if (!task || !(await seenProject(ctx, task.project_id)))
    throw fault.notFound(
      'run_id',
      `There is no run ${run_id} that you can see`,
      run_id,
      'List those of a task: GET /api/v1/tasks/{task}/runs',
    )
  return { run: run!, task, project: await findProject(ctx, task.project_id) }
}

/** The one open run that an agent has of a task. */
export async function openRunOf(
  tx: Tx,
  { team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>,
  actor_id: number,
): Promise<Run | undefined> {
  const own = and(eq(runs.team_id, team_id), eq(runs.task_id, task_id), eq(runs.actor_id, actor_id))
  const query = tx
    .select()
    .from(runs)
    .where(and(own, inArray(runs.state, [...OPEN])))
  const [run] = await held(query)
  return run
}

export interface Beginning {
  origin: Origin
  prompt?: string | undefined
  comment_id?: number | null | undefined
}

/** A new run; nothing where the agent has an open one of this task, made at the same moment. */
export async function openRun(
  on: Acting,
  task: Task,
  agent: ActorRow,
  { origin, prompt, comment_id = null }: Beginning,
): Promise<Run | undefined> {
  const { tx, now, by } = on
  const self = origin === 'self'
  const [made] = await tx
    .insert(runs)
    .values({
      ...{ team_id: task.team_id, project_id: task.project_id, task_id: task.task_id },
      ...{ actor_id: agent.actor_id, origin, comment_id, created_by: by },
      state: self ? 'running' : 'queued',
      ...{ entries: 0, created_at: now, updated_at: now, started_at: self ? now : null },
    })
    .onConflictDoNothing()
    .returning()
  if (!made) return undefined
  const run = prompt === undefined ? made : await putPrompt(on, made, prompt)
  await tellOf(on, 'run.created', task, run, { origin, ...asked(run) })
  return run
}

/** Asks something more of an open run. */
export async function promptRun(
  on: Acting,
  task: Task,
  run: Run,
  text: string,
  comment_id: number | null = null,
): Promise<Run> {
  const after = await putPrompt(on, { ...run, comment_id, state: prompted(run.state) }, text)
  await tellOf(on, 'run.prompted', task, after, asked(after))
  return after
}

async function putPrompt(on: Acting, run: Run, prompt: string): Promise<Run> {
  const { comment_id, state } = run
  const set = { prompt, comment_id, state, prompted_by: on.by }
  return addEntries(on, run, [{ kind: 'prompt', text: prompt, at: on.now }], set)
}

export interface Line {
  kind: EntryKind
  text: string
  at: Date
}

/** Appends to the transcript of a run that is held, and keeps how it ends on the run. */
export async function addEntries(
  { tx, now, by }: Acting,
  { team_id, run_id, entries }: Run,
  lines: readonly Line[],
  set: Partial<Run> = {},
): Promise<Run> {
  const rows = lines.map((line, at) => ({
    ...{ team_id, run_id, number: entries + at + 1, author_id: by, ...line },
  }))
  await tx.insert(runEntries).values(rows)
  const last_entry = briefly(lines.at(-1)!.text)
  return put(tx, run_id, { ...set, entries: entries + lines.length, last_entry, updated_at: now })
}

/** Brings a run that is held into a state. */
export async function moveRun(
  on: Acting,
  task: Task,
  run: Run,
  set: Partial<Pick<Run, 'state' | 'summary' | 'reason'>>,
): Promise<Run> {
  const { now } = on
  const { state = run.state } = set
  const enters = state !== run.state
  const after = await put(on.tx, run.run_id, {
    ...{ ...set, updated_at: now },
    ...(enters && state === 'running' && !run.started_at && { started_at: now }),
    ...(enters && isOver(state) && { ended_at: now }),
  })
  if (enters && state !== 'queued') await tellOf(on, TOLD[state], task, after, ended(after))
  return after
}

async function put(tx: Tx, run_id: number, set: Partial<Run>): Promise<Run> {
  const [run] = await tx.update(runs).set(set).where(eq(runs.run_id, run_id)).returning()
  return run!
}

/** Messages to agents and the log of changes hold the beginning; the run has all of it. */
const MOST_TOLD = 2000
const bounded = (text: string | null) => text?.slice(0, MOST_TOLD).toWellFormed() ?? null

const asked = ({ prompt, comment_id }: Run) => ({
  prompt: bounded(prompt),
  ...(comment_id !== null && { comment_id }),
})

const ended = ({ state, summary, reason, created_by, prompted_by }: Run) => ({
  ...(state === 'stopped' ? { reason: bounded(reason) } : { summary: bounded(summary) }),
  /** Who waits for what comes of it. */
  ...(isOver(state) && { askers: [...new Set([created_by, prompted_by ?? created_by])] }),
})

/** At no task: its story is not told line by line. */
export async function tellLines(on: Acting, before: Run, after: Run): Promise<void> {
  const task = (await taskById(on.tx, before.task_id))!
  const agent = (await actorsOf(on.tx, [before.actor_id])).get(before.actor_id)!
  const [first, last] = [before.entries + 1, after.entries]
  const { task_id, ticket_number } = task
  const { agent_id } = agent
  const told = { run_id: before.run_id, agent_id, task_id, ticket_number, first, last }
  on.emit('run.transcript', placeOf(task), told)
}

const NOTIFIED: readonly string[] = [TOLD.done, TOLD.failed]

async function tellOf(on: Acting, type: string, task: Task, run: Run, data: object) {
  const agent = (await actorsOf(on.tx, [run.actor_id])).get(run.actor_id)!
  const { task_id, ticket_number, title } = task
  const { run_id, state } = run
  const { agent_id, name: agent_name } = agent
  const about = { run_id, agent_id, agent_name, task_id, ticket_number, title, state }
  const recipients = NOTIFIED.includes(type)
    ? { participants: await concernedWith(on.tx, task) }
    : undefined
  on.emit(type, { ...placeOf(task), task_id }, { ...about, ...data }, recipients)
}

/** The open runs of a task, or of an agent, held; oldest first. */
export function openRuns(
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
  return held(query)
}
