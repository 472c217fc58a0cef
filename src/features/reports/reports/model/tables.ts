import { id, index, int, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'

export const reports = table(
  'reports',
  { exported: true },
  {
    report_id: id('report_id'),
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    title: text('title').notNull(),
    slug: text('slug').notNull(),
    description: text('description'),
    /** Stored as it was sent, including scripts. Only a sandbox may show it. */
    body_html: text('body_html'),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('reports_slug').on(t.team_id, t.project_id, t.slug),
    index('reports_updated').on(t.team_id, t.project_id, t.updated_at, t.report_id),
  ],
)
