import { and, eq, exists, gt, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { briefly } from '../../content/index.ts'
import { type Change, emitInto, type Tx } from '../../kernel/caller.ts'
import { held } from '../../store/columns.ts'
import { append } from '../../store/log.ts'
import { agents } from '../agents/index.ts'
import { actorsOf } from '../people/index.ts'
import { taskById } from '../tasks/index.ts'
import { isOver } from './rules.ts'
import { MOST_ENTRIES, MOST_ENTRY } from './schema.ts'
import { type Acting, addEntries, type Line, moveRun, type Run, tellLines } from './store.ts'
import { runEntries, runs } from './tables.ts'
import { lastEntries } from './transcripts.ts'

/**
 * What the server that runs native agents keeps of their runs. It has a run under a name of its own
 * until the moment that stands beside it, and moves that on while it works. Whoever finds another
 * name there has lost the run, and writes nothing more.
 */

const MOST_PROMPTS = 20

/** In the very words of the index, which holds these few alone: they are asked for all the time. */
const isOpen = sql`${runs.state} in ('queued', 'running')`

/** Nobody is at it: it is yet to be begun, or whoever was at it is gone. */
const isFree = (now: Date) => and(isOpen, or(isNull(runs.busy_until), lte(runs.busy_until, now)))

const ofNative = (tx: Tx) =>
  exists(
    tx
      .select({ one: sql`1` })
      .from(agents)
      .where(and(eq(agents.actor_id, runs.actor_id), eq(agents.kind, 'native'))),
  )

/** Runs that native agents are to go to work on, oldest first. */
export async function dueRuns(tx: Tx, now: Date, most: number): Promise<number[]> {
  const rows = await tx
    .select({ run_id: runs.run_id })
    .from(runs)
    .where(and(isFree(now), ofNative(tx)))
    .orderBy(runs.run_id)
    .limit(most)
  return rows.map(({ run_id }) => run_id)
}

/** Those of them whose transcripts do not end with these words. */
export async function untoldRuns(tx: Tx, words: string, most: number): Promise<number[]> {
  const untold = or(isNull(runs.last_entry), ne(runs.last_entry, briefly(words)))
  const rows = await tx
    .select({ run_id: runs.run_id })
    .from(runs)
    .where(and(isOpen, eq(runs.state, 'queued'), untold, ofNative(tx)))
    .limit(most)
  return rows.map(({ run_id }) => run_id)
}

/** No other server runs agents of this database, so who had a run is gone. */
export async function freeRuns(tx: Tx): Promise<void> {
  await tx
    .update(runs)
    .set({ busy_until: null })
    .where(and(isOpen, isNotNull(runs.busy_by)))
}

export interface Taken {
  run: Run
  /** Whoever had it is gone in the middle. */
  interrupted: boolean
}

/** The run is this server's until then; nothing where another was quicker. */
export async function takeRun(
  tx: Tx,
  run_id: number,
  now: Date,
  until: Date,
): Promise<Taken | undefined> {
  const free = and(eq(runs.run_id, run_id), isFree(now))
  const [found] = await held(tx.select().from(runs).where(free))
  if (!found) return undefined
  const set = { busy_by: crypto.randomUUID(), busy_until: until }
  await tx.update(runs).set(set).where(eq(runs.run_id, run_id))
  const interrupted = found.state === 'running' && found.busy_by !== null
  return { run: { ...found, ...set }, interrupted }
}

/** A run that is still held, as it is now; nothing once it is over or another has it. */
async function ownRun(tx: Tx, { run_id, busy_by }: Run): Promise<Run | undefined> {
  const own = and(eq(runs.run_id, run_id), eq(runs.busy_by, busy_by!))
  const [run] = await held(tx.select().from(runs).where(own))
  return run && !isOver(run.state) ? run : undefined
}

/** How a run is at this moment, if this server has it still. */
export async function runNow(tx: Tx, { run_id, busy_by }: Run): Promise<Run | undefined> {
  const [run] = await tx.select().from(runs).where(eq(runs.run_id, run_id))
  return run?.busy_by === busy_by && !isOver(run.state) ? run : undefined
}

/** Has it until a later moment; false where it is lost. */
export async function keepRun(tx: Tx, run: Run, busy_until: Date): Promise<boolean> {
  if (!(await ownRun(tx, run))) return false
  await tx.update(runs).set({ busy_until }).where(eq(runs.run_id, run.run_id))
  return true
}

/** Gives it back, to be taken up from that moment on; null: at once. */
export async function leaveRun(tx: Tx, run: Run, from: Date | null): Promise<void> {
  if (!(await ownRun(tx, run))) return
  await leave(tx, run, from)
}

const leave = (tx: Tx, { run_id }: Run, busy_until: Date | null) =>
  tx.update(runs).set({ busy_by: null, busy_until }).where(eq(runs.run_id, run_id))

const FULL = `A transcript has at most ${MOST_ENTRIES} entries; begin another run`

type Noted = Pick<Line, 'kind' | 'text'>

/** Writes into the transcript in the name of the agent; false where the run is lost. */
export async function noteRun(tx: Tx, run: Run, now: Date, lines: readonly Noted[]) {
  const own = await ownRun(tx, run)
  if (own && own.entries + lines.length > MOST_ENTRIES) {
    await settleRun(tx, run, now, { state: 'failed', summary: FULL })
    return false
  }
  if (!own) return false
  await inNameOfAgent(tx, own, now, (on) => written(on, own, lines))
  return true
}

/** A run that waits for something that is not there is told so, without anybody having it. */
export async function tellRun(tx: Tx, run_id: number, now: Date, text: string): Promise<void> {
  const free = and(eq(runs.run_id, run_id), eq(runs.state, 'queued'))
  const [run] = await held(tx.select().from(runs).where(free))
  if (run) await inNameOfAgent(tx, run, now, (on) => written(on, run, [{ kind: 'message', text }]))
}

async function written(on: Acting, run: Run, lines: readonly Noted[]): Promise<Run> {
  const cut = lines.map(({ kind, text }) => ({
    ...{ kind, at: on.now },
    text: text.slice(0, MOST_ENTRY).toWellFormed(),
  }))
  const after = await addEntries(on, run, cut)
  await tellLines(on, run, after)
  return after
}

type Set = Partial<Pick<Run, 'state' | 'summary' | 'reason'>>

/**
 * Brings a run into a state in the name of its agent. Nothing happens where the run is lost, or
 * where `seen` is not the last that it was asked: then there is more to do.
 */
export async function settleRun(
  tx: Tx,
  run: Run,
  now: Date,
  set: Set & { seen?: number },
): Promise<'settled' | 'asked' | 'lost'> {
  const { seen, ...state } = set
  const own = await ownRun(tx, run)
  if (!own) return 'lost'
  if (seen !== undefined && (await promptsSince(tx, own, seen)).length) return 'asked'
  await inNameOfAgent(tx, own, now, async (on) => {
    const task = await taskById(tx, own.task_id)
    await moveRun(on, task!, own, state)
  })
  if (state.state !== 'running') await leave(tx, own, null)
  return 'settled'
}

async function inNameOfAgent(
  tx: Tx,
  { actor_id: by }: Run,
  now: Date,
  act: (on: Acting) => Promise<unknown>,
): Promise<void> {
  const told: Change[] = []
  await act({ tx, now, by, emit: emitInto(told) })
  await append(tx, { actor_id: by }, now, told)
}

export interface Asked {
  number: number
  by: string
  text: string
}

/** What was asked of a run behind this entry of its transcript, each with who asked. */
export async function promptsSince(tx: Tx, run: Run, after: number): Promise<Asked[]> {
  const { team_id, run_id } = run
  const rows = await tx
    .select()
    .from(runEntries)
    .where(
      and(
        ...[eq(runEntries.team_id, team_id), eq(runEntries.run_id, run_id)],
        ...[eq(runEntries.kind, 'prompt'), gt(runEntries.number, after)],
      ),
    )
    .orderBy(runEntries.number)
    .limit(MOST_PROMPTS)
  const authors = await actorsOf(
    tx,
    rows.map(({ author_id }) => author_id),
  )
  return rows.map(({ number, text, author_id }) => ({
    ...{ number, text },
    by: authors.get(author_id)!.name,
  }))
}

/** Who called the agent to it, and whoever asked something of it since. */
export async function askersOf(tx: Tx, run: Run): Promise<number[]> {
  const { team_id, run_id, created_by } = run
  const own = and(eq(runEntries.team_id, team_id), eq(runEntries.run_id, run_id))
  const rows = await tx
    .selectDistinct({ author_id: runEntries.author_id })
    .from(runEntries)
    .where(and(own, eq(runEntries.kind, 'prompt')))
  return [...new Set([created_by, ...rows.map(({ author_id }) => author_id)])]
}

/** How a transcript ends, oldest first, each entry with who wrote it. */
export async function endOf(tx: Tx, run: Run, most: number) {
  const rows = await lastEntries(tx, run, most)
  const authors = await actorsOf(
    tx,
    rows.map(({ author_id }) => author_id),
  )
  return rows.map(({ number, kind, text, author_id }) => ({
    ...{ number, kind, text },
    by: authors.get(author_id)!.name,
  }))
}
