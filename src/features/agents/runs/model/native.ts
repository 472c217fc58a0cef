import {
  and,
  eq,
  exists,
  gt,
  gte,
  isNotNull,
  isNull,
  lte,
  ne,
  not,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { truncate } from '../../../../content/index.ts'
import { type Change, emitInto, type Tx } from '../../../../kernel/caller.ts'
import type { Fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { append } from '../../../../store/log.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { actorsOf } from '../../../identity/people/model/index.ts'
import { taskById } from '../../../tasks/tasks/model/index.ts'
import { agents, monthlyCosts, monthOf, obstacleTo } from '../../agents/model/index.ts'
import { lastEntries } from './entries.ts'
import { isOver } from './rules.ts'
import { MAX_ENTRIES, MAX_ENTRY } from './schema.ts'
import { type ActingAs, addEntries, emitTranscript, type Line, moveRun, type Run } from './store.ts'
import { runEntries, runs } from './tables.ts'
import { chargeCost } from './usage.ts'

/**
 * How a server holds the runs of native agents. It holds a run under a random name until
 * `busy_until`, which it extends while it works. A server that finds another name there has lost
 * the run and writes nothing more.
 */

const MAX_PROMPTS = 20

/** Repeats the condition of the partial index exactly, so that this frequent query uses it. */
const isOpen = sql`${runs.state} in ('queued', 'running')`

/** No server holds the run, or its hold has expired. */
const isFree = (now: Date) => and(isOpen, or(isNull(runs.busy_until), lte(runs.busy_until, now)))

const ofNative = (tx: Tx) =>
  exists(
    tx
      .select({ one: sql`1` })
      .from(agents)
      .where(and(eq(agents.actor_id, runs.actor_id), eq(agents.kind, 'native'))),
  )

/**
 * The agent or its board is paused, or has used its budget of this month. This is the condition of
 * `obstacleTo` for many runs at once.
 */
function isHeldBack(tx: Tx, now: Date) {
  const one = { one: sql`1` }
  const agent = eq(agents.actor_id, runs.actor_id)
  const board = eq(projects.project_id, runs.project_id)
  const cost = and(eq(monthlyCosts.team_id, runs.team_id), eq(monthlyCosts.month, monthOf(now)))
  const { kind, subject_id, micro_usd } = monthlyCosts
  const ofAgent = and(cost, eq(kind, 'agent'), eq(subject_id, agents.actor_id))
  const ofBoard = and(cost, eq(kind, 'board'), eq(subject_id, projects.project_id))
  return or(
    exists(
      tx
        .select(one)
        .from(agents)
        .where(and(agent, isNotNull(agents.paused_at))),
    ),
    exists(
      tx
        .select(one)
        .from(projects)
        .where(and(board, isNotNull(projects.paused_at))),
    ),
    exists(
      tx
        .select(one)
        .from(agents)
        .innerJoin(monthlyCosts, ofAgent)
        .where(and(agent, gte(micro_usd, agents.budget_micro_usd))),
    ),
    exists(
      tx
        .select(one)
        .from(projects)
        .innerJoin(monthlyCosts, ofBoard)
        .where(and(board, gte(micro_usd, projects.budget_micro_usd))),
    ),
  )!
}

/** The runs that a server can take, oldest first. */
export async function dueRuns(tx: Tx, now: Date, limit: number): Promise<number[]> {
  const rows = await tx
    .select({ run_id: runs.run_id })
    .from(runs)
    .where(and(isFree(now), ofNative(tx), not(isHeldBack(tx, now))))
    .orderBy(runs.run_id)
    .limit(limit)
  return rows.map(({ run_id }) => run_id)
}

/** Queued runs whose transcript does not end with this text. */
export async function runsWithoutNote(
  tx: Tx,
  text: string,
  limit: number,
  condition?: SQL,
): Promise<number[]> {
  const withoutNote = or(isNull(runs.last_entry), ne(runs.last_entry, truncate(text)))
  const rows = await tx
    .select({ run_id: runs.run_id })
    .from(runs)
    .where(and(isOpen, eq(runs.state, 'queued'), withoutNote, ofNative(tx), condition))
    .limit(limit)
  return rows.map(({ run_id }) => run_id)
}

/** The same for queued runs that a pause or a budget holds back. */
export const heldBackWithoutNote = (tx: Tx, text: string, limit: number, now: Date) =>
  runsWithoutNote(tx, text, limit, isHeldBack(tx, now))

/** Why a run must not go on. A used budget is no reason: it only keeps runs from starting. */
export async function pauseOf(tx: Tx, run: Run, now: Date): Promise<Fault | undefined> {
  const [agent] = await tx.select().from(agents).where(eq(agents.actor_id, run.actor_id))
  return agent && obstacleTo({ tx, now }, agent, run.project_id, { hasStarted: true })
}

/** Releases every run, for a server that is alone on this database. */
export async function freeRuns(tx: Tx): Promise<void> {
  await tx
    .update(runs)
    .set({ busy_until: null })
    .where(and(isOpen, isNotNull(runs.busy_by)))
}

export interface ClaimedRun {
  run: Run
  /** The server that held it is gone. */
  interrupted: boolean
}

/** Claims a run until then; undefined if another server was quicker. */
export async function claimRun(
  tx: Tx,
  run_id: number,
  now: Date,
  until: Date,
): Promise<ClaimedRun | undefined> {
  const free = and(eq(runs.run_id, run_id), isFree(now))
  const [found] = await forUpdate(tx.select().from(runs).where(free))
  if (!found) return undefined
  const set = { busy_by: crypto.randomUUID(), busy_until: until }
  await tx.update(runs).set(set).where(eq(runs.run_id, run_id))
  const interrupted = found.state === 'running' && found.busy_by !== null
  return { run: { ...found, ...set }, interrupted }
}

/** Locks a run; undefined if it is over or another server holds it. */
async function lockHeldRun(tx: Tx, { run_id, busy_by }: Run): Promise<Run | undefined> {
  const own = and(eq(runs.run_id, run_id), eq(runs.busy_by, busy_by!))
  const [run] = await forUpdate(tx.select().from(runs).where(own))
  return run && !isOver(run.state) ? run : undefined
}

/** The current state of a run; undefined if it is over or another server holds it. */
export async function currentRun(tx: Tx, { run_id, busy_by }: Run): Promise<Run | undefined> {
  const [run] = await tx.select().from(runs).where(eq(runs.run_id, run_id))
  return run?.busy_by === busy_by && !isOver(run.state) ? run : undefined
}

/** Extends the hold; false if the run is lost. */
export async function extendHold(tx: Tx, run: Run, busy_until: Date): Promise<boolean> {
  if (!(await lockHeldRun(tx, run))) return false
  await tx.update(runs).set({ busy_until }).where(eq(runs.run_id, run.run_id))
  return true
}

/** Releases a run; it can be taken again from that moment, or at once if null. */
export async function releaseRun(tx: Tx, run: Run, from: Date | null): Promise<void> {
  if (!(await lockHeldRun(tx, run))) return
  await release(tx, run, from)
}

const release = (tx: Tx, { run_id }: Run, busy_until: Date | null) =>
  tx.update(runs).set({ busy_by: null, busy_until }).where(eq(runs.run_id, run_id))

const FULL = `A transcript has at most ${MAX_ENTRIES} entries; start another run`

type NewLine = Pick<Line, 'kind' | 'text'>

/** Appends to the transcript as the agent; false if the run is lost. */
export async function appendToRun(tx: Tx, run: Run, now: Date, lines: readonly NewLine[]) {
  const own = await lockHeldRun(tx, run)
  if (own && own.entries + lines.length > MAX_ENTRIES) {
    await settleRun(tx, run, now, { state: 'failed', summary: FULL })
    return false
  }
  if (!own) return false
  await actAsAgent(tx, own, now, (on) => appendLines(on, own, lines))
  return true
}

/** Appends a message to a queued run that no server holds. */
export async function noteQueuedRun(
  tx: Tx,
  run_id: number,
  now: Date,
  text: string,
): Promise<void> {
  const free = and(eq(runs.run_id, run_id), eq(runs.state, 'queued'))
  const [run] = await forUpdate(tx.select().from(runs).where(free))
  if (run) await actAsAgent(tx, run, now, (on) => appendLines(on, run, [{ kind: 'message', text }]))
}

async function appendLines(on: ActingAs, run: Run, lines: readonly NewLine[]): Promise<Run> {
  const truncated = lines.map(({ kind, text }) => ({
    kind,
    at: on.now,
    text: text.slice(0, MAX_ENTRY).toWellFormed(),
  }))
  const after = await addEntries(on, run, truncated)
  await emitTranscript(on, run, after)
  return after
}

type RunChange = Partial<Pick<Run, 'state' | 'summary' | 'reason'>>

/**
 * Changes the state of a run as its agent. Does nothing if the run is lost, or if there are prompts
 * after entry `seen`: then the agent has more to do.
 */
export async function settleRun(
  tx: Tx,
  run: Run,
  now: Date,
  set: RunChange & { seen?: number },
): Promise<'settled' | 'asked' | 'lost'> {
  const { seen, ...state } = set
  const own = await lockHeldRun(tx, run)
  if (!own) return 'lost'
  if (seen !== undefined && (await promptsSince(tx, own, seen)).length) return 'asked'
  await actAsAgent(tx, own, now, async (on) => {
    const task = await taskById(tx, own.task_id)
    await moveRun(on, task!, own, state)
  })
  if (state.state !== 'running') await release(tx, own, null)
  return 'settled'
}

interface TurnUsage {
  tokens_in: number
  tokens_out: number
  /** Undefined if the price is not known. */
  micro_usd: number | undefined
}

/** Adds what a turn used, also if the run is over or another server has it by now. */
export async function addUsage(
  tx: Tx,
  { run_id }: Run,
  now: Date,
  { tokens_in, tokens_out, micro_usd }: TurnUsage,
): Promise<void> {
  const [run] = await forUpdate(tx.select().from(runs).where(eq(runs.run_id, run_id)))
  const task = run && (await taskById(tx, run.task_id))
  if (!task) return
  const set = {
    input_tokens: (run.input_tokens ?? 0) + tokens_in,
    output_tokens: (run.output_tokens ?? 0) + tokens_out,
    ...(micro_usd !== undefined && { cost_micro_usd: (run.cost_micro_usd ?? 0) + micro_usd }),
  }
  await tx.update(runs).set(set).where(eq(runs.run_id, run_id))
  await actAsAgent(tx, run, now, (on) => chargeCost(on, task, run, micro_usd ?? 0))
}

async function actAsAgent(
  tx: Tx,
  { actor_id: by }: Run,
  now: Date,
  act: (on: ActingAs) => Promise<unknown>,
): Promise<void> {
  const changes: Change[] = []
  await act({ tx, now, by, emit: emitInto(changes) })
  await append(tx, { actor_id: by }, now, changes)
}

export interface RunPrompt {
  number: number
  by: string
  text: string
}

/** The prompts after an entry of the transcript, with their authors. */
export async function promptsSince(tx: Tx, run: Run, after: number): Promise<RunPrompt[]> {
  const { team_id, run_id } = run
  const rows = await tx
    .select()
    .from(runEntries)
    .where(
      and(
        eq(runEntries.team_id, team_id),
        eq(runEntries.run_id, run_id),
        eq(runEntries.kind, 'prompt'),
        gt(runEntries.number, after),
      ),
    )
    .orderBy(runEntries.number)
    .limit(MAX_PROMPTS)
  const authors = await actorsOf(
    tx,
    rows.map(({ author_id }) => author_id),
  )
  return rows.map(({ number, text, author_id }) => ({
    number,
    text,
    by: authors.get(author_id)!.name,
  }))
}

/** Everyone who started the run or prompted it. */
export async function promptersOf(tx: Tx, run: Run): Promise<number[]> {
  const { team_id, run_id, created_by } = run
  const own = and(eq(runEntries.team_id, team_id), eq(runEntries.run_id, run_id))
  const rows = await tx
    .selectDistinct({ author_id: runEntries.author_id })
    .from(runEntries)
    .where(and(own, eq(runEntries.kind, 'prompt')))
  return [...new Set([created_by, ...rows.map(({ author_id }) => author_id)])]
}

/** The last entries of a transcript, oldest first, with their authors. */
export async function lastLines(tx: Tx, run: Run, limit: number) {
  const rows = await lastEntries(tx, run, limit)
  const authors = await actorsOf(
    tx,
    rows.map(({ author_id }) => author_id),
  )
  return rows.map(({ number, kind, text, author_id }) => ({
    number,
    kind,
    text,
    by: authors.get(author_id)!.name,
  }))
}
