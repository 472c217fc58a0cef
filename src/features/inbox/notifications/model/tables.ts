import { sql } from 'drizzle-orm'
import { bool, id, index, int, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { Kind } from './kinds.ts'

export const notifications = table(
  'notifications',
  { exported: 'created from the change log of their server' },
  {
    notification_id: id('notification_id'),
    team_id: int('team_id').notNull(),
    /** The owner of the inbox. */
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    kind: text('kind').$type<Kind>().notNull(),
    important: bool('important').notNull(),
    /** Priority of the notification itself, on the scale that tasks use. */
    priority: int('priority').notNull(),
    /** The actor who made the change. */
    by_id: int('by_id')
      .notNull()
      .references(() => actors.actor_id),
    comment_id: int('comment_id'),
    decision_request_id: int('decision_request_id'),
    escalation_id: int('escalation_id'),
    run_id: int('run_id'),
    snippet: text('snippet'),
    created_at: time('created_at').notNull(),
    read_at: time('read_at'),
    archived_at: time('archived_at'),
  },
  (t) => [
    // An inbox spans all teams of its owner, so these indexes begin with actor_id, not team_id.
    index('notifications_open')
      .on(t.actor_id, t.created_at, t.notification_id)
      .where(sql`archived_at is null`),
    index('notifications_archived')
      .on(t.actor_id, t.created_at, t.notification_id)
      .where(sql`archived_at is not null`),
    index('notifications_task').on(t.team_id, t.task_id, t.actor_id, t.kind),
  ],
)
