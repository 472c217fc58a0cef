import { id, index, int, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'

export const escalations = table(
  'escalations',
  { exported: true },
  {
    escalation_id: id('escalation_id'),
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    reason: text('reason').notNull(),
    /** The recipient. */
    to_id: int('to_id')
      .notNull()
      .references(() => actors.actor_id),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
    note: text('note'),
    /** Null while the escalation is open. */
    resolved_by: int('resolved_by').references(() => actors.actor_id),
    resolved_at: time('resolved_at'),
  },
  (t) => [index('escalations_task').on(t.team_id, t.task_id, t.created_at, t.escalation_id)],
)
