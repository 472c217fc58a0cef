import { id, index, int, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../tasks/model/index.ts'

/**
 * A relation between two tasks, stored once: the first blocks the second, or they are related, in
 * which case the first has the lower id.
 */
export const relations = table(
  'relations',
  { exported: true },
  {
    relation_id: id('relation_id'),
    team_id: int('team_id').notNull(),
    kind: text('kind').$type<'blocks' | 'related'>().notNull(),
    first_id: int('first_id')
      .notNull()
      .references(() => tasks.task_id),
    second_id: int('second_id')
      .notNull()
      .references(() => tasks.task_id),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('relations_once').on(t.team_id, t.first_id, t.second_id, t.kind),
    index('relations_second').on(t.team_id, t.second_id, t.kind, t.first_id),
  ],
)
