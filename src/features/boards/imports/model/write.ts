import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { lockRelations } from '../../../tasks/relations/model/index.ts'
import { taskById } from '../../../tasks/tasks/model/index.ts'
import { Batch } from './batch.ts'
import { importBoard } from './boards.ts'
import { importRelation, importTime } from './children.ts'
import { type CommentEntry, importComments } from './comments.ts'
import { insertNewTasks } from './insert-tasks.ts'
import { Directory, resolvePerson } from './people.ts'
import type { Counts, Written, WrittenRecord } from './schema.ts'
import type { ImportedRow, SourceImport } from './store.ts'
import { sourceImports } from './tables.ts'
import { type ResolvedTask, resolveTask } from './task-values.ts'
import type { PreparedTexts } from './texts.ts'
import { updateImportedTask } from './update-task.ts'

/** The counter of the import for each kind of record; people and boards are not counted. */
const COUNTERS = {
  task: 'tasks',
  comment: 'comments',
  time_entry: 'time_entries',
  relation: 'relations',
} as const

/** Writes records in order, all or nothing, and says what became of each. */
export async function writeRecords(
  ctx: Context,
  source: SourceImport,
  records: readonly WrittenRecord[],
  { texts, unresolved }: PreparedTexts,
): Promise<Written[]> {
  const batch = new Batch(ctx, source)
  const results: Written[] = new Array(records.length)
  await writePeople(batch, records, results)
  for (const [at, { board }] of records.entries())
    if (board) {
      const { row, problems } = await importBoard(
        ctx,
        source,
        batch.known,
        board,
        texts.get(at)?.text ?? null,
      )
      results[at] = withProblems(problems, { outcome: 'unchanged', row_id: row.row_id })
    }
  await batch.loadFor(records)
  await writeTasks(batch, records, texts, results)
  if (records.some(({ relation }) => relation)) await lockRelations(ctx)
  await importComments(batch, commentsIn(records, texts), results)
  for (const [at, { time_entry, relation }] of records.entries()) {
    const path = `records.${at}`
    if (time_entry) results[at] = await importTime(batch, time_entry, `${path}.time_entry`)
    if (relation) results[at] = await importRelation(batch, relation, `${path}.relation`)
  }
  for (const at of unresolved) results[at] = { ...results[at]!, unresolved: true }
  await updateCounts(ctx, source, records, results)
  return results
}

const commentsIn = (
  records: readonly WrittenRecord[],
  texts: PreparedTexts['texts'],
): CommentEntry[] =>
  records.flatMap(({ comment: record }, at) =>
    record ? { at, path: `records.${at}.comment`, record, text: texts.get(at) ?? null } : [],
  )

async function writePeople(
  { ctx, known, source }: Batch,
  records: readonly WrittenRecord[],
  results: Written[],
): Promise<void> {
  const persons = records.flatMap(({ person }) => person ?? [])
  if (!persons.length) return
  await known.load(
    'person',
    persons.map(({ id }) => id),
  )
  let directory = await Directory.load(ctx.tx, source.team_id)
  for (const [at, { person }] of records.entries()) {
    if (!person) continue
    const before = known.get('person', person.id)
    const isDecided = person.user_id !== undefined && person.user_id !== before?.row_id
    if (before && !isDecided) {
      results[at] = { outcome: 'unchanged', row_id: before.row_id }
      continue
    }
    const path = `records.${at}.person`
    const { actor_id, created } = await resolvePerson(ctx, source.team_id, directory, person, path)
    if (created) directory = await Directory.load(ctx.tx, source.team_id)
    if (before) await known.update(before, { row_id: actor_id })
    else {
      const row = { source_id: person.id, row_id: actor_id, created, digests: null }
      await known.add('person', [row])
    }
    results[at] = { outcome: created ? 'created' : 'unchanged', row_id: actor_id }
  }
}

async function writeTasks(
  batch: Batch,
  records: readonly WrittenRecord[],
  texts: PreparedTexts['texts'],
  results: Written[],
): Promise<void> {
  const added = new Map<string, ResolvedTask[]>()
  const writtenTasks = new Map<number, ResolvedTask>()
  const ids = new Set<string>()
  for (const [at, { task }] of records.entries()) {
    if (!task) continue
    const resolved = resolveTask(batch, task, texts.get(at) ?? null, `records.${at}.task`)
    const row = await rowOf(batch, task, `records.${at}.task`)
    if (row)
      results[at] = {
        ...(await updateImportedTask(batch, row, resolved)),
        row_id: row.row_id,
      }
    else {
      if (ids.has(task.id)) throw repeatedTask(task.id, at)
      ids.add(task.id)
      const ofBoard = added.get(task.board) ?? []
      added.set(task.board, ofBoard)
      ofBoard.push(resolved)
      results[at] = { outcome: 'created', row_id: 0 }
    }
    writtenTasks.set(at, resolved)
  }
  const tickets = new Map<string, string>()
  for (const [board, resolved] of added)
    for (const [id, ticket] of await insertNewTasks(batch, board, resolved)) tickets.set(id, ticket)
  for (const [at, { record, values, problems }] of writtenTasks) {
    const row_id = batch.known.get('task', record.id)!.row_id
    const ticket_number = tickets.get(record.id) ?? results[at]!.ticket_number
    results[at] = withProblems(problems, { ...results[at]!, row_id, ticket_number })
    if (values.parent_task_id === undefined) results[at]!.unresolved = true
  }
}

/** The task that a record has become, or that it is by its `task_id`. */
async function rowOf(
  batch: Batch,
  { id, board, task_id }: NonNullable<WrittenRecord['task']>,
  field: string,
): Promise<ImportedRow | undefined> {
  const { known, ctx } = batch
  const row = known.get('task', id)
  if (task_id === undefined || task_id === row?.row_id) return row
  if (task_id === null) {
    const task = row && (await taskById(ctx.tx, row.row_id))
    if (row && task?.status === 'Deleted') await known.remove(row)
    return known.get('task', id)
  }
  await checkOnBoard(batch, board, task_id, field)
  const adopted = { row_id: task_id, created: false, digests: {} }
  if (row) await known.update(row, adopted)
  else await known.add('task', [{ source_id: id, ...adopted }])
  return known.get('task', id)
}

async function checkOnBoard(
  batch: Batch,
  board: string,
  task_id: number,
  field: string,
): Promise<void> {
  const { key, project_id } = batch.board(board, field).project
  const task = await taskById(batch.ctx.tx, task_id)
  if (task?.project_id === project_id) return
  throw fault.notFound(
    `${field}.task_id`,
    `There is no task ${task_id} on the board ${key}`,
    task_id,
    `List its tasks: GET /api/v1/tasks?project_id=${project_id}`,
  )
}

const repeatedTask = (id: string, at: number) =>
  fault.invalid(
    `records.${at}.task.id`,
    'conflict',
    'Another task of this request has the same id',
    id,
    'Send each task once',
  )

const withProblems = <R extends object>(problems: readonly string[], result: R): R =>
  problems.length ? { ...result, problem: problems.join('; ') } : result

async function updateCounts(
  { tx, now }: Context,
  { import_id, counts }: SourceImport,
  records: readonly WrittenRecord[],
  results: readonly Written[],
): Promise<void> {
  const next: Counts = { ...counts }
  for (const [at, record] of records.entries()) {
    const counter = COUNTERS[Object.keys(record)[0] as keyof typeof COUNTERS]
    if (counter && results[at]!.outcome === 'created') next[counter]++
  }
  await tx
    .update(sourceImports)
    .set({ counts: next, updated_at: now })
    .where(eq(sourceImports.import_id, import_id))
}
