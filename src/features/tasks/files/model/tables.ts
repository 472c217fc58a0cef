import { id, index, int, long, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'

/** Counters for quotas: the bytes of a team's files, and those that a credential sends per day. */
export const fileUsage = table(
  'file_usage',
  { exported: 'counted again from the files' },
  {
    /** `team:7`, or a credential such as `key:3`. */
    name: text('name').primaryKey(),
    bytes: long('bytes').notNull(),
    /** The counted day (UTC) of a credential; empty for a team. */
    day: text('day').notNull(),
  },
  (t) => [index('file_usage_day').on(t.day)],
)

/** A file on a task or a comment. This module may not import those, so there are no references. */
export const attachments = table(
  'attachments',
  { exported: true },
  {
    attachment_id: id('attachment_id'),
    team_id: int('team_id').notNull(),
    task_id: int('task_id').notNull(),
    comment_id: int('comment_id'),
    filename: text('filename').notNull(),
    content_type: text('content_type').notNull(),
    size: int('size').notNull(),
    /** Hash of the bytes, which are stored outside the database under this name. */
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
