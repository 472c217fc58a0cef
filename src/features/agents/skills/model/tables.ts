import { sql } from 'drizzle-orm'
import { bool, id, index, int, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'

/** Instructions that are called by slug, of one person or of a board. */
export const skills = table(
  'skills',
  { exported: true },
  {
    skill_id: id('skill_id'),
    /** The team of its board; null for a person's own skill. */
    team_id: int('team_id'),
    project_id: int('project_id').references(() => projects.project_id),
    /** The owner; for a board's skill, its creator. */
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** The arguments to write after the slug; null: none are expected. */
    argument_hint: text('argument_hint'),
    body: text('body').notNull(),
    enabled: bool('enabled').notNull(),
    /** The address from which it was imported. */
    source: text('source'),
    last_used_at: time('last_used_at'),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('skills_own').on(t.actor_id, t.slug).where(sql`project_id is null`),
    uniqueIndex('skills_board').on(t.project_id, t.slug).where(sql`project_id is not null`),
    index('skills_team').on(t.team_id, t.project_id, t.slug),
  ],
)
