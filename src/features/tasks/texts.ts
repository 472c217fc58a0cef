import { asc, count, desc, eq, gt, lte, max } from 'drizzle-orm'
import { plainOf } from '../../content/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import { placeOfKey } from '../../search/query.ts'
import { wordsOf } from '../../search/words.ts'
import { among, isKept, keepTexts, type Text, textsKept } from '../../store/fulltext.ts'
import type { OpenStore } from '../../store/store.ts'
import { sweeps } from '../../store/tables.ts'
import type { Task } from './address.ts'
import type { Status } from './rules.ts'
import { tasks } from './tables.ts'

/** Of a description; what stands further down is not found. */
const MOST_WORDS = 10_000
/** Tasks of one transaction: as many as take so many milliseconds until they are on disk. */
const BATCH = { first: 20, least: 15, most: 200 }
const HOLD_MS = 6
const LEAST_REST_MS = 3
const MOST_REST_MS = 15
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

/** What the index keeps of a task: takes long where the text is long. */
export function textOf(task: Written): Text {
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
 * was one. It keeps its place; once it has come to the end it has nothing to do any more. Texts are
 * taken apart outside of transactions, which then take a few milliseconds, and it rests in between.
 */
export async function sweepTexts(
  store: Pick<OpenStore, 'read' | 'write'>,
  isStopped: () => boolean,
  told: (tasks: number) => void = () => {},
): Promise<void> {
  let batch = BATCH.first
  while (!isStopped()) {
    const upto = await store.read(swept)
    if (upto === ALL) return
    const some = await store.read((tx) => nextTasks(tx, upto, batch))
    const texts = some.map((task) => ({ task, text: textOf(task) }))
    const began = performance.now()
    await store.write((tx) => step(tx, upto, texts, some.length < batch))
    const took = performance.now() - began
    batch =
      took > HOLD_MS
        ? Math.max(BATCH.least, Math.floor(batch / 2))
        : Math.min(BATCH.most, Math.ceil(batch * 1.2))
    told(some.length)
    await Bun.sleep(Math.min(MOST_REST_MS, Math.max(LEAST_REST_MS, took)))
  }
}

const nextTasks = (tx: Tx, upto: number, many: number): Promise<Task[]> =>
  tx.select().from(tasks).where(gt(tasks.task_id, upto)).orderBy(asc(tasks.task_id)).limit(many)

interface Read {
  task: Task
  text: Text
}

async function step(tx: Tx, upto: number, read: readonly Read[], isLast: boolean): Promise<void> {
  // Another process may have been here.
  if ((await taken(tx)) !== upto) return
  const ids = read.map(({ task }) => task.task_id)
  const found = await tx.select().from(tasks).where(among(tasks.task_id, ids))
  const now = new Map(found.map((task) => [task.task_id, task]))
  const texts = read.flatMap(({ task, text }) => {
    const own = now.get(task.task_id)
    if (!own) return []
    return [isSame(own, task) ? text : textOf(own)]
  })
  await keepTexts(tx, texts)
  await tx
    .update(sweeps)
    .set({ upto: isLast ? ALL : ids.at(-1)! })
    .where(eq(sweeps.name, SWEEP))
}

/** Whoever changed a task since it was read has kept its text as well. */
const isSame = (a: Written, b: Written): boolean =>
  a.title === b.title &&
  a.description === b.description &&
  a.content_type === b.content_type &&
  a.project_id === b.project_id &&
  a.status === b.status &&
  a.ticket_number === b.ticket_number

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
