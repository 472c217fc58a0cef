import { id, int, primaryKey, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../tasks/model/index.ts'

/** Every version of a description, from the first on. */
export const descriptionVersions = table(
  'description_versions',
  { exported: true },
  {
    version_id: id('version_id'),
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    version: int('version').notNull(),
    content: text('content').notNull(),
    content_type: text('content_type').$type<'html' | 'markdown'>().notNull(),
    author_id: int('author_id')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [uniqueIndex('description_versions_order').on(t.team_id, t.task_id, t.version)],
)

/** The actors who are mentioned in the description and were notified. */
export const taskMentions = table(
  'task_mentions',
  { exported: 'only prevents duplicate notifications on its server' },
  {
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.task_id, t.actor_id] })],
)
