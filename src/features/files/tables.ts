import { id, index, int, table, text, time } from '../../store/columns.ts'
import { actors } from '../people/index.ts'

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
