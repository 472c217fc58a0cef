import { id, index, int, long, table, text, time } from '../../store/columns.ts'
import { actors } from '../people/index.ts'

/** What quotas count: the bytes of a team's files, and those that a credential sends in a day. */
export const fileUsage = table(
  'file_usage',
  {
    /** `team:7`, or a credential as in a caller. */
    name: text('name').primaryKey(),
    bytes: long('bytes').notNull(),
    /** Of a credential: the day (UTC) that is counted; empty for a team. */
    day: text('day').notNull(),
  },
  (t) => [index('file_usage_day').on(t.day)],
)

/** A file on a task, or on one of its comments. Tasks and comments are above this room. */
export const attachments = table(
  'attachments',
  {
    attachment_id: id('attachment_id'),
    team_id: int('team_id').notNull(),
    task_id: int('task_id').notNull(),
    comment_id: int('comment_id'),
    filename: text('filename').notNull(),
    content_type: text('content_type').notNull(),
    size: int('size').notNull(),
    /** Of the bytes, which are kept outside the database under this name. */
    sha256: text('sha256').notNull(),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [
    index('attachments_task').on(t.team_id, t.task_id),
    index('attachments_comment').on(t.team_id, t.comment_id),
    index('attachments_sha256').on(t.sha256),
  ],
)
