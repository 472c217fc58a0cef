import { and, eq } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import { comments, updateCommentCounts } from '../../../conversation/comments/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { placeOf } from '../../projects/model/index.ts'
import type { Batch } from './batch.ts'
import { digestsOf, mergeFields } from './digests.ts'
import type { Content, Written } from './schema.ts'
import type { StorableText } from './texts.ts'

/** A comment of the request; `path` is its place there. */
export interface CommentEntry {
  at: number
  path: string
  record: Content<'comment'>
  text: StorableText | null
}
type NewComment = CommentEntry & { text: StorableText }

interface TaskRef {
  team_id: number
  project_id: number
  task_id: number
  ticket_number: string
}

/** Writes the comments of a request. Unlike new comments, they notify nobody. */
export async function importComments(
  batch: Batch,
  entries: readonly CommentEntry[],
  results: Written[],
): Promise<void> {
  if (!entries.length) return
  refuseRepeated(entries)
  const { known } = batch
  const places = await placesOf(batch, entries)
  for (const entry of entries) await adoptComment(batch, entry, places)
  const isNew = ({ record, text }: CommentEntry): boolean =>
    text !== null && !known.get('comment', record.id)
  const [added, others] = [
    entries.filter(isNew) as NewComment[],
    entries.filter((entry) => !isNew(entry)),
  ]
  await insertInOrder(batch, added, places, results)
  for (const entry of others) results[entry.at] = await updateComment(batch, entry, places)
}

function refuseRepeated(entries: readonly CommentEntry[]): void {
  const ids = new Set<string>()
  for (const { record, path } of entries) {
    if (ids.has(record.id))
      throw fault.invalid(
        `${path}.id`,
        'conflict',
        'Another comment of this request has the same id',
        record.id,
        'Send each comment once',
      )
    ids.add(record.id)
  }
}

/** The tasks of the comments, by their ids in the source. */
async function placesOf(
  batch: Batch,
  entries: readonly CommentEntry[],
): Promise<ReadonlyMap<string, TaskRef>> {
  const ids = new Map(
    entries.map(({ record, path }) => [record.task, batch.taskId(record.task, `${path}.task`)]),
  )
  const { team_id, project_id, task_id, ticket_number } = tasks
  const rows = await batch.ctx.tx
    .select({ team_id, project_id, task_id, ticket_number })
    .from(tasks)
    .where(isOneOf(task_id, [...new Set(ids.values())]))
  const byId = new Map(rows.map((row) => [row.task_id, row]))
  return new Map([...ids].map(([id, row_id]) => [id, byId.get(row_id)!]))
}

/** Remembers that a record is a comment which is on its task already. */
async function adoptComment(
  { known, ctx }: Batch,
  { record: { id, task, comment_id }, path }: CommentEntry,
  places: ReadonlyMap<string, TaskRef>,
): Promise<void> {
  const before = known.get('comment', id)
  if (comment_id === undefined || comment_id === before?.row_id) return
  const { task_id, ticket_number } = places.get(task)!
  const own = and(eq(comments.comment_id, comment_id), eq(comments.task_id, task_id))
  const [comment] = await ctx.tx.select().from(comments).where(own)
  if (!comment)
    throw fault.notFound(
      `${path}.comment_id`,
      `There is no comment ${comment_id} on ${ticket_number}`,
      comment_id,
      `List its comments: GET /api/v1/tasks/${ticket_number}/comments`,
    )
  const digests = digestsOf({ text: { text: comment.text, format: comment.content_type } })
  if (before) await known.update(before, { row_id: comment_id, digests })
  else await known.add('comment', [{ source_id: id, row_id: comment_id, created: false, digests }])
}

/** Inserts comments together, except those that answer one of the same request. */
async function insertInOrder(
  batch: Batch,
  entries: readonly NewComment[],
  places: ReadonlyMap<string, TaskRef>,
  results: Written[],
): Promise<void> {
  let rest = entries
  while (rest.length) {
    const waiting = new Set(rest.map(({ record }) => record.id))
    const isReady = ({ record: { id, reply_to } }: NewComment) =>
      reply_to === undefined || reply_to === id || !waiting.has(reply_to)
    const ready = rest.filter(isReady)
    // Comments that answer each other in a circle lose these answers.
    const next = ready.length ? ready : rest
    await insertComments(batch, next, places, results)
    rest = rest.filter((entry) => !next.includes(entry))
  }
}

async function insertComments(
  batch: Batch,
  entries: readonly NewComment[],
  places: ReadonlyMap<string, TaskRef>,
  results: Written[],
): Promise<void> {
  const { ctx, known, source } = batch
  const unknownAuthor = entries.some(({ record }) => !record.author)
    ? await batch.unknownAuthor()
    : 0
  const rows = entries.map(({ record, text, path }) => {
    const { team_id, task_id } = places.get(record.task)!
    const reply = record.reply_to === undefined ? undefined : known.get('comment', record.reply_to)
    return {
      ...{ team_id, task_id, text: text.text, content_type: text.format },
      author_id: record.author ? batch.actorId(record.author, `${path}.author`) : unknownAuthor,
      reply_to_comment_id: reply?.row_id ?? null,
      reply_to_invocation_id: null,
      created_at: record.created_at ? new Date(record.created_at) : ctx.now,
      edited_at: record.edited_at ? new Date(record.edited_at) : null,
    }
  })
  const inserted = await batch.inserter.insert(comments, rows, ['comment_id'])
  // The ids grow in the order of the rows, also where an engine returns them in another one.
  const ids = inserted.map(({ comment_id }) => comment_id).sort((a, b) => a - b)
  await known.add(
    'comment',
    entries.map(({ record, text }, index) => ({
      source_id: record.id,
      row_id: ids[index]!,
      created: true,
      digests: digestsOf({ text }),
    })),
  )
  for (const [index, { at, record }] of entries.entries()) {
    const { task_id, ticket_number, ...place } = places.get(record.task)!
    const data = { ticket_number, comment_id: ids[index]!, source: source.source }
    ctx.emit('comment.imported', { ...placeOf(place), task_id }, data)
    results[at] = { outcome: 'created', row_id: ids[index]! }
  }
  const task_ids = new Set(rows.map(({ task_id }) => task_id))
  await updateCommentCounts(ctx.tx, source.team_id, [...task_ids])
}

async function updateComment(
  batch: Batch,
  { record, text }: CommentEntry,
  places: ReadonlyMap<string, TaskRef>,
): Promise<Written> {
  const { ctx, known, source } = batch
  const row = known.get('comment', record.id)
  if (!row) return { outcome: 'kept', row_id: 0, problem: 'A comment without visible text' }
  const { row_id } = row
  const own = eq(comments.comment_id, row_id)
  const [comment] = await ctx.tx.select().from(comments).where(own)
  if (!comment || !text) return { outcome: 'kept', row_id }
  const here = { text: { text: comment.text, format: comment.content_type } }
  const merge = mergeFields(row.digests ?? {}, digestsOf({ text }), digestsOf(here))
  if (merge.apply.length) {
    const changed = record.edited_at ? new Date(record.edited_at) : ctx.now
    const set = { text: text.text, content_type: text.format, edited_at: changed }
    await ctx.tx.update(comments).set(set).where(own)
    const { task_id, ticket_number, ...place } = places.get(record.task)!
    const data = { ticket_number, comment_id: row_id, source: source.source }
    ctx.emit('comment.imported', { ...placeOf(place), task_id }, data)
  }
  await known.update(row, { digests: merge.digests })
  const outcome = merge.keep.length ? 'kept' : merge.apply.length ? 'updated' : 'unchanged'
  return { outcome, row_id }
}
