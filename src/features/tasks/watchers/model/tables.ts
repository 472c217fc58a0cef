import { bool, index, int, primaryKey, table } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../tasks/model/index.ts'

/** Who has chosen to watch a task, or to stop. Without a row, those who take part watch it. */
export const taskWatchers = table(
  'task_watchers',
  {
    exported: 'a choice about notifications, which stay on their server',
    unstaged: 'nobody watches a task of a team before it is published',
  },
  {
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    watching: bool('watching').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.task_id, t.actor_id] }),
    index('task_watchers_actor').on(t.actor_id, t.watching, t.team_id, t.task_id),
  ],
)
