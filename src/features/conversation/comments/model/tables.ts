import { id, index, int, primaryKey, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'

export const comments = table(
  'comments',
  { exported: true },
  {
    comment_id: id('comment_id'),
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    author_id: int('author_id')
      .notNull()
      .references(() => actors.actor_id),
    text: text('text').notNull(),
    content_type: text('content_type').$type<'html' | 'markdown'>().notNull(),
    reply_to_comment_id: int('reply_to_comment_id'),
    /** The notification in the inbox of the author that this comment answers. */
    reply_to_invocation_id: int('reply_to_invocation_id'),
    created_at: time('created_at').notNull(),
    edited_at: time('edited_at'),
  },
  (t) => [
    index('comments_task').on(t.team_id, t.task_id, t.created_at, t.comment_id),
    // Every new comment on a task reads the authors of the earlier ones.
    index('comments_authors').on(t.team_id, t.task_id, t.author_id),
    // The tasks that somebody watches because of a comment.
    index('comments_author').on(t.author_id, t.team_id, t.task_id),
    index('comments_replies').on(t.team_id, t.reply_to_comment_id),
  ],
)

/** The actors a comment mentions. Each of them was notified. */
export const commentMentions = table(
  'comment_mentions',
  { exported: true },
  {
    team_id: int('team_id').notNull(),
    comment_id: int('comment_id')
      .notNull()
      .references(() => comments.comment_id),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.comment_id, t.actor_id] })],
)

export const commentReactions = table(
  'comment_reactions',
  { exported: true },
  {
    team_id: int('team_id').notNull(),
    comment_id: int('comment_id')
      .notNull()
      .references(() => comments.comment_id),
    emoji: text('emoji').notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.comment_id, t.emoji, t.actor_id] })],
)
