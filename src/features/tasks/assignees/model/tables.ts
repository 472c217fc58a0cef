import { bool, index, int, primaryKey, table } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { placeColumns, tasks } from '../../tasks/model/index.ts'

export const taskAssignees = table(
  'task_assignees',
  { exported: true },
  {
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    /** A copy of the task's open state, so that queries skip what somebody completed long ago. */
    open: bool('open').notNull().default(true),
    ...placeColumns(),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.task_id, t.actor_id] }),
    index('task_assignees_actor').on(t.team_id, t.actor_id, t.open, t.task_id),
    index('task_assignees_board').on(t.team_id, t.actor_id, t.status, t.project_id, t.task_id),
  ],
)
