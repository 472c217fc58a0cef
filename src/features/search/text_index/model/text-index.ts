import { asc, count, desc, eq, gt, lte, max } from 'drizzle-orm'
import { plainOf } from '../../../../content/words.ts'
import type { Tx } from '../../../../kernel/caller.ts'
import { initialsOf } from '../../../../search/query/open-terms.ts'
import { keyWordOf } from '../../../../search/query/query.ts'
import { wordsOf } from '../../../../search/words/words.ts'
import {
  countIndexedTexts,
  type IndexedText,
  indexTexts,
  isIndexed,
} from '../../../../store/fulltext.ts'
import { idList, isInIdList } from '../../../../store/id-list.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import type { OpenStore } from '../../../../store/store.ts'
import { sweeps } from '../../../../store/tables.ts'
import type { Status } from '../../../tasks/states/model/index.ts'
import { type Task, tasks } from '../../../tasks/tasks/model/index.ts'

/** Words of a description beyond this many are not indexed. */
const MAX_WORDS = 10_000
/** Tasks indexed per transaction. The size adapts so that each write takes about `writeMs`. */
const BATCH = { first: 20, least: 15, most: 2000 }
const WRITE_MS = 6
const MIN_PAUSE_MS = 3
const MAX_PAUSE_MS = 15
const SWEEP = 'task texts'
/** Stored as progress once all tasks are indexed: the highest possible task id. */
const COMPLETE = 2_147_483_647

type IndexedColumns = Pick<
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

/** The team and the board of a task as terms of the index, by which a search can be restricted. */
export const inTeam = (team_id: number, status: Status) => `t${team_id}${status[0]!.toLowerCase()}`
export const onBoard = (board: number, status: Status) => `b${board}${status[0]!.toLowerCase()}`

/** The index entry of a task. This is slow for long texts. */
export function indexTextOf(task: IndexedColumns): IndexedText {
  const { team_id, project_id, status, title, ticket_number } = task
  return {
    id: task.task_id,
    places: [
      ...[inTeam(team_id, status), onBoard(project_id, status), keyWordOf(ticket_number)!],
      ...initialsOf(title),
    ],
    head: wordsOf(title),
    body: wordsOf(plainOf(task.description ?? '', task.content_type), MAX_WORDS),
  }
}

/** Updates the index entries of tasks. Call it in the transaction that writes indexed columns. */
export const indexTask = (tx: Tx, ...rows: IndexedColumns[]): Promise<void> =>
  indexTexts(tx, rows.map(indexTextOf))

/** Whether any of these columns is part of the index entry. */
export const isIndexedColumn = (columns: object): boolean =>
  ['title', 'description', 'content_type', 'project_id', 'status', 'ticket_number'].some(
    (name) => name in columns,
  )

interface BackfillOptions {
  /** How long a write may take: others wait for it, but many short ones take more time in all. */
  writeMs?: number
  onProgress?: (tasks: number) => void
}

/**
 * Indexes tasks that were written without it: restored from a backup, or from before the index
 * existed. It stores its progress and does nothing once it is complete. Texts are split into words
 * outside the transactions, which then take a few milliseconds, with pauses in between.
 */
export async function backfillIndex(
  store: Pick<OpenStore, 'read' | 'write'>,
  isStopped: () => boolean,
  { writeMs = WRITE_MS, onProgress = () => {} }: BackfillOptions = {},
): Promise<void> {
  let batch = BATCH.first
  while (!isStopped()) {
    const upto = await store.read(readProgress)
    if (upto === COMPLETE) return
    const batchTasks = await store.read((tx) => nextTasks(tx, upto, batch))
    const texts = batchTasks.map((task) => ({ task, text: indexTextOf(task) }))
    const start = performance.now()
    await store.write((tx) => writeBatch(tx, upto, texts, batchTasks.length < batch))
    const elapsed = performance.now() - start
    batch =
      elapsed > writeMs
        ? Math.max(BATCH.least, Math.floor(batch / 2))
        : Math.min(BATCH.most, Math.ceil(batch * 1.2))
    onProgress(batchTasks.length)
    await Bun.sleep(Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, elapsed)))
  }
}

const selectIndexed = prepared((tx) => {
  const { task_id, team_id, project_id, status, ticket_number } = tasks
  const { title, description, content_type } = tasks
  const texts = { title, description, content_type }
  const rows = () =>
    tx.select({ task_id, team_id, project_id, status, ticket_number, ...texts }).from(tasks)
  return {
    after: rows()
      .where(gt(task_id, param('after')))
      .orderBy(asc(task_id))
      .limit(param('limit'))
      .prepare('texts_to_index'),
    named: rows()
      .where(isInIdList(task_id, param('ids')))
      .prepare('texts_to_compare'),
  }
})

const nextTasks = (tx: Tx, after: number, limit: number): Promise<IndexedColumns[]> =>
  selectIndexed(tx).after.execute({ after, limit })

interface IndexedTask {
  task: IndexedColumns
  text: IndexedText
}

async function writeBatch(
  tx: Tx,
  upto: number,
  batch: readonly IndexedTask[],
  isLast: boolean,
): Promise<void> {
  // Another process may have advanced the progress meanwhile.
  if ((await lockProgress(tx)) !== upto) return
  const ids = batch.map(({ task }) => task.task_id)
  const found = await selectIndexed(tx).named.execute({ ids: idList(ids) })
  const currentById = new Map(found.map((task) => [task.task_id, task]))
  const texts = batch.flatMap(({ task, text }) => {
    const current = currentById.get(task.task_id)
    if (!current) return []
    return [isSame(current, task) ? text : indexTextOf(current)]
  })
  await indexTexts(tx, texts)
  await tx
    .update(sweeps)
    .set({ upto: isLast ? COMPLETE : ids.at(-1)! })
    .where(eq(sweeps.name, SWEEP))
}

/**
 * A task that changed since it was read has been indexed by the writer, so its entry is computed
 * again.
 */
const isSame = (a: IndexedColumns, b: IndexedColumns): boolean =>
  a.title === b.title &&
  a.description === b.description &&
  a.content_type === b.content_type &&
  a.project_id === b.project_id &&
  a.status === b.status &&
  a.ticket_number === b.ticket_number

/** The upsert locks the row, so a second process that indexes waits here. */
async function lockProgress(tx: Tx): Promise<number> {
  const [row] = await tx
    .insert(sweeps)
    .values({ name: SWEEP, upto: 0 })
    .onConflictDoUpdate({ target: sweeps.name, set: { name: SWEEP } })
    .returning()
  return row!.upto
}

const selectProgress = prepared((tx) =>
  tx.select().from(sweeps).where(eq(sweeps.name, SWEEP)).prepare('texts_progress'),
)

/** The id up to which all tasks are indexed. */
async function readProgress(tx: Tx): Promise<number> {
  const [row] = await selectProgress(tx).execute()
  return row?.upto ?? 0
}

/** Whether every task is indexed. */
export const isIndexComplete = async (tx: Tx): Promise<boolean> =>
  (await readProgress(tx)) === COMPLETE

/** Makes the next run of `backfillIndex` start from the first task. */
export async function resetBackfill(tx: Tx): Promise<void> {
  await tx.delete(sweeps).where(eq(sweeps.name, SWEEP))
}

const SAMPLE_SIZE = 50

export interface IndexState {
  whole: boolean
  tasks: number
  texts: number
  /** Keys of sampled tasks whose index entry is missing or outdated. */
  stale: string[]
}

/** Compares the index with the tasks: the counts, and the entries of a sample. */
export async function inspectIndex(tx: Tx): Promise<IndexState> {
  const [totals] = await tx.select({ many: count(), last: max(tasks.task_id) }).from(tasks)
  const last = totals!.last ?? 0
  const stale: string[] = []
  for (let at = 1; at <= SAMPLE_SIZE; at++) {
    const [task] = await tx
      .select()
      .from(tasks)
      .where(lte(tasks.task_id, Math.ceil((last * at) / SAMPLE_SIZE)))
      .orderBy(desc(tasks.task_id))
      .limit(1)
    if (task && !(await isCurrent(tx, task))) stale.push(task.ticket_number)
  }
  return {
    whole: await isIndexComplete(tx),
    tasks: Number(totals!.many),
    texts: await countIndexedTexts(tx),
    stale,
  }
}

function isCurrent(tx: Tx, task: Task): Promise<boolean> {
  const { places, head, body } = indexTextOf(task)
  const phrases = [head, body.slice(0, 20)].filter((words) => words.length)
  const phraseTerms = phrases.map((words) => [{ words, prefix: false }])
  return isIndexed(tx, task.task_id, { places, required: phraseTerms, excluded: [] })
}
