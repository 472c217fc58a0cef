import { Type as t } from '@sinclair/typebox'
import { and, eq, inArray } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import {
  actor,
  childLines,
  cleanField,
  compare,
  format,
  from,
  InvalidRecord,
  moment,
  orNull,
  plain,
  portableRows,
  position,
  selectChildren,
  strict,
  type TaskBatch,
  Text,
  Ticket,
  Who,
} from '../../../../store/portability/index.ts'
import { commentMentions, commentReactions, comments } from './tables.ts'

const rows = portableRows(
  comments,
  {
    author: from('author_id', actor),
    text: plain(Text),
    content_type: format,
    reply_to: from('reply_to_comment_id', position('comment')),
    created_at: moment,
    edited_at: orNull(moment),
  },
  { comment_id: 'generated', reply_to_invocation_id: 'inboxes stay on their server' },
)
const mentionRows = portableRows(
  commentMentions,
  { who: from('actor_id', actor) },
  { comment_id: 'the comment of the line' },
)
const reactionRows = portableRows(
  commentReactions,
  {
    emoji: plain(t.String({ maxLength: 64 })),
    who: from('actor_id', actor),
    created_at: moment,
  },
  { comment_id: 'the comment of the line' },
)

const type = strict({
  task: Ticket,
  ...rows.properties,
  mentioned: t.Array(Who, { maxItems: 10_000 }),
  reactions: t.Array(strict(reactionRows.properties), { maxItems: 100_000 }),
})

/** The comments of a task, with their mentions and reactions, oldest first. */
export const commentLines = childLines({
  kind: 'comment',
  what: 'a comment',
  type,
  rows: [rows, mentionRows, reactionRows],
  clean: (record, clean) => cleanField(record, 'text', clean),
  check({ task, author, reply_to, mentioned, reactions }, file) {
    if (reply_to !== null && reply_to > file.count('comment'))
      throw new InvalidRecord(`a comment of ${task} replies to one that does not come before it`)
    file.actor(author, ...mentioned, ...reactions.map(({ who }) => who))
    const keys = reactions.map(({ emoji, who }) => `${emoji} ${who}`)
    if (new Set(keys).size < keys.length || new Set(mentioned).size < mentioned.length)
      throw new InvalidRecord(`a comment of ${task} has a person or reaction twice`)
  },
  async load(batch) {
    const order = [comments.created_at, comments.comment_id]
    const byTask = await selectChildren(batch, comments, order)
    for (const group of byTask.values())
      batch.number(
        'comment',
        group.map(({ comment_id }) => comment_id),
      )
    const comment_ids = [...byTask.values()].flat().map(({ comment_id }) => comment_id)
    const mentions = await selectOf(batch, commentMentions, comment_ids)
    const reactions = await selectOf(batch, commentReactions, comment_ids)
    return (task_id) =>
      (byTask.get(task_id) ?? []).map((row) => {
        const { created_at, edited_at, ...own } = rows.write(row, batch.names)
        const mentioned = (mentions.get(row.comment_id) ?? [])
          .map((mention) => batch.names.nameOf(mention.actor_id))
          .sort(compare)
        const reactionRecords = (reactions.get(row.comment_id) ?? [])
          .map((reaction) => reactionRows.write(reaction, batch.names))
          .sort((a, b) => compare(a.emoji, b.emoji) || compare(a.who, b.who))
        return { ...own, mentioned, reactions: reactionRecords, created_at, edited_at }
      })
  },
  /** One by one, since each may reply to one before it. */
  async insert(tasks, { inserter }) {
    for (const { place, ids, number, recordsOf } of tasks)
      for (const record of recordsOf({ kind: 'comment', type })) {
        const row = { ...place, ...rows.read(record, ids) }
        const [inserted] = await inserter.insert(comments, [row], ['comment_id'])
        const keys = { team_id: place.team_id, comment_id: inserted!.comment_id }
        number('comment', [keys.comment_id])
        const mentioned = record.mentioned.map((who) => mentionRows.read({ who }, ids))
        await inserter.insert(
          commentMentions,
          mentioned.map((mention) => ({ ...keys, ...mention })),
        )
        const reactions = record.reactions.map((reaction) => reactionRows.read(reaction, ids))
        await inserter.insert(
          commentReactions,
          reactions.map((reaction) => ({ ...keys, ...reaction })),
        )
      }
  },
  taskColumns(records) {
    const last = records.at(-1)
    return {
      comment_count: records.length,
      last_comment_at: last ? new Date(last.created_at) : null,
    }
  },
})

async function selectOf<T extends PgTable & Record<'team_id' | 'comment_id', PgColumn>>(
  { tx, team_id }: TaskBatch,
  table: T,
  comment_ids: number[],
): Promise<Map<number, T['$inferSelect'][]>> {
  const found = await tx
    .select()
    .from(table as PgTable)
    .where(and(eq(table.team_id, team_id), inArray(table.comment_id, comment_ids)))
  return Map.groupBy(
    found as T['$inferSelect'][],
    (row) => (row as { comment_id: number }).comment_id,
  )
}
