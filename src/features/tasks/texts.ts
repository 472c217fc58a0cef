import { asc, count, desc, eq, gt, lte, max } from 'drizzle-orm'
import { plainOf } from '../../content/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import { placeOfKey } from '../../search/query.ts'
import { wordsOf } from '../../search/words.ts'
import { isKept, keepTexts, type Text, textsKept } from '../../store/fulltext.ts'
import type { OpenStore } from '../../store/store.ts'
import { sweeps } from '../../store/tables.ts'
import type { Task } from './address.ts'
import type { Status } from './rules.ts'
import { tasks } from './tables.ts'

/** Of a description; what stands further down is not found. */
const MOST_WORDS = 10_000
const BATCH = 100
const SWEEP = 'task texts'
/** No task has a higher number. */
const ALL = 2_147_483_647

type Written = Pick<
  Task,
  | 'task_id'
  | 'team_id'
  | 'project_id'
  | 'status'
  | 'ticket_number'
  | 'title'
  | 'description'
  | 'content_type'
>

/** Where a task belongs, as words of the index: a search begins with them. */
export const inTeam = (team_id: number, status: Status) => `t${team_id}${status[0]!.toLowerCase()}`
export const onBoard = (board: number, status: Status) => `b${board}${status[0]!.toLowerCase()}`

function textOf(task: Written): Text {
  const { team_id, project_id, status, title, ticket_number } = task
  return {
    id: task.task_id,
    places: [inTeam(team_id, status), onBoard(project_id, status), placeOfKey(ticket_number)!],
    head: wordsOf(title),
    body: wordsOf(plainOf(task.description ?? '', task.content_type), MOST_WORDS),
  }
}

/** Whoever writes what is searched for calls this in the same transaction. */
export const keepText = (tx: Tx, ...written: Written[]): Promise<void> =>
  keepTexts(tx, written.map(textOf))

/** Whether these columns are part of what the index knows of a task. */
export const isText = (columns: object): boolean =>
  ['title', 'description', 'content_type', 'project_id', 'status', 'ticket_number'].some(
    (name) => name in columns,
  )

/**
 * Brings tasks into the index that came to the database past it: from a backup, or from before there
 * was one. It keeps its place; once it has come to the end it has nothing to do any more.
 */
export async function sweepTexts(store: OpenStore, isStopped: () => boolean): Promise<void> {
  while (!isStopped() && (await store.read(swept)) < ALL) {
    await store.write(step)
    // Whoever waits to write comes first.
    await Bun.sleep(1)
  }
}

async function step(tx: Tx): Promise<void> {
  const upto = await taken(tx)
  if (upto === ALL) return
  const some = await tx
    .select()
    .from(tasks)
    .where(gt(tasks.task_id, upto))
    .orderBy(asc(tasks.task_id))
    .limit(BATCH)
  await keepText(tx, ...some)
  await tx
    .update(sweeps)
    .set({ upto: some.length < BATCH ? ALL : some.at(-1)!.task_id })
    .where(eq(sweeps.name, SWEEP))
}

/** Its row is written before it is read: another process that does the same waits here. */
async function taken(tx: Tx): Promise<number> {
  const [row] = await tx
    .insert(sweeps)
    .values({ name: SWEEP, upto: 0 })
    .onConflictDoUpdate({ target: sweeps.name, set: { name: SWEEP } })
    .returning()
  return row!.upto
}

/** Up to which task the index is whole. */
async function swept(tx: Tx): Promise<number> {
  const [row] = await tx.select().from(sweeps).where(eq(sweeps.name, SWEEP))
  return row?.upto ?? 0
}

/** Whether there are tasks that the index may not know yet. */
export const isWhole = async (tx: Tx): Promise<boolean> => (await swept(tx)) === ALL

/** From now on the sweep begins anew. */
export async function forgetSweep(tx: Tx): Promise<void> {
  await tx.delete(sweeps).where(eq(sweeps.name, SWEEP))
}

const SAMPLE = 50

export interface IndexState {
  whole: boolean
  tasks: number
  texts: number
  /** Tasks of a sample that the index does not know as they are. */
  stale: string[]
}

/** How the index agrees with the tasks: counted, and looked at in a sample. */
export async function inspectTexts(tx: Tx): Promise<IndexState> {
  const [all] = await tx.select({ many: count(), last: max(tasks.task_id) }).from(tasks)
  const last = all!.last ?? 0
  const stale: string[] = []
  for (let at = 1; at <= SAMPLE; at++) {
    const [task] = await tx
      .select()
      .from(tasks)
      .where(lte(tasks.task_id, Math.ceil((last * at) / SAMPLE)))
      .orderBy(desc(tasks.task_id))
      .limit(1)
    if (task && !(await isCurrent(tx, task))) stale.push(task.ticket_number)
  }
  return { whole: await isWhole(tx), tasks: Number(all!.many), texts: await textsKept(tx), stale }
}

function isCurrent(tx: Tx, task: Task): Promise<boolean> {
  const { places, head, body } = textOf(task)
  const phrases = [head, body.slice(0, 20)].filter((words) => words.length)
  const all = phrases.map((words) => [{ words, prefix: false }])
  return isKept(tx, task.task_id, { places, all, none: [] })
}
