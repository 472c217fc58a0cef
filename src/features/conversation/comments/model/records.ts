import { and, asc, eq } from 'drizzle-orm'
import type { Context, Server } from '../../../../kernel/caller.ts'
import { idList, isInIdList } from '../../../../store/id-list.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { type ActorRow, actors, actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { attachmentsOfComments } from '../../../tasks/files/model/index.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import { reactionsOf } from './reactions.ts'
import type { CommentReceipt, CommentRecord } from './schema.ts'
import type { Comment } from './store.ts'
import { commentMentions } from './tables.ts'

type Reader = Pick<Context, 'tx' | 'caller' | 'server'>

const commentUrl = ({ url }: Server, { ticket_number }: Task, comment_id: number) =>
  `${url}/t/${ticket_number}#comment-${comment_id}`

/** Turns comments of one task into API records, in the same order. */
export async function toCommentRecords(
  ctx: Reader,
  task: Task,
  rows: readonly Comment[],
): Promise<CommentRecord[]> {
  const { team_id, task_id, ticket_number } = task
  const ids = rows.map(({ comment_id }) => comment_id)
  const authors = await actorsOf(
    ctx.tx,
    rows.map(({ author_id }) => author_id),
  )
  const mentions = await mentionsOf(ctx, team_id, ids)
  const reactions = await reactionsOf(ctx, team_id, ids)
  const attachments = await attachmentsOfComments(ctx, team_id, ids)
  return rows.map(({ comment_id, author_id, ...row }) => ({
    comment_id,
    task_id,
    ticket_number,
    author: asActor(authors.get(author_id)!),
    text: row.text,
    content_type: row.content_type,
    mentions: (mentions.get(comment_id) ?? []).map(({ actor }) => asActor(actor)),
    reply_to_comment_id: row.reply_to_comment_id,
    reply_to_invocation_id: row.reply_to_invocation_id,
    reactions: reactions.get(comment_id) ?? [],
    attachments: attachments.get(comment_id) ?? [],
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
    url: commentUrl(ctx.server, task, comment_id),
  }))
}

async function mentionsOf({ tx }: Reader, team_id: number, ids: readonly number[]) {
  if (!ids.length) return new Map<number, { actor: ActorRow }[]>()
  const rows = await selectMentions(tx).execute({ team_id, ids: idList(ids) })
  return Map.groupBy(rows, ({ comment_id }) => comment_id)
}

const selectMentions = prepared((tx) =>
  tx
    .select({ comment_id: commentMentions.comment_id, actor: actors })
    .from(commentMentions)
    .innerJoin(actors, eq(actors.actor_id, commentMentions.actor_id))
    .where(
      and(
        eq(commentMentions.team_id, param('team_id')),
        isInIdList(commentMentions.comment_id, param('ids')),
      ),
    )
    .orderBy(asc(actors.actor_id))
    .prepare('mentions_of_comments'),
)

export async function receiptOf(
  ctx: Reader,
  task: Task,
  { mentioned, ...comment }: Comment & { mentioned: readonly ActorRow[] },
): Promise<CommentReceipt> {
  const { team_id, task_id, ticket_number } = task
  const { comment_id, created_at, edited_at } = comment
  const attachments = await attachmentsOfComments(ctx, team_id, [comment_id])
  return {
    comment_id,
    task_id,
    ticket_number,
    content_type: comment.content_type,
    mentioned: mentioned.map(asActor),
    attachments: attachments.get(comment_id) ?? [],
    created_at: created_at.toISOString(),
    edited_at: edited_at?.toISOString() ?? null,
    url: commentUrl(ctx.server, task, comment_id),
  }
}
