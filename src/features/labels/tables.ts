import { sql } from 'drizzle-orm'
import { id, int, table, text, time, uniqueIndex } from '../../store/columns.ts'
import { projects } from '../projects/index.ts'

export const labels = table(
  'labels',
  {
    label_id: id('label_id'),
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    name: text('name').notNull(),
    color: text('color').notNull(),
    created_at: time('created_at').notNull(),
  },
  (t) => [uniqueIndex('labels_name').on(t.team_id, t.project_id, sql`lower(${t.name})`)],
)
