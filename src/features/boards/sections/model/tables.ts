import { bool, id, index, int, table, text, time } from '../../../../store/columns.ts'
import { projects } from '../../projects/model/index.ts'
import type { SectionRole } from './rules.ts'

export const sections = table(
  'sections',
  { exported: true },
  {
    section_id: id('section_id'),
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    title: text('title').notNull(),
    role: text('role').$type<SectionRole>().notNull(),
    /** The explicit setting; null lets the title decide. */
    is_done: bool('is_done'),
    /** The effective value: `is_done`, or the guess from the title. */
    done: bool('done').notNull(),
    hidden: bool('hidden').notNull(),
    /** The actor that a task entering the column is assigned to. */
    auto_assign: int('auto_assign'),
    /** The app marks a section with more tasks than this; nothing is refused. */
    wip_limit: int('wip_limit'),
    /** #rrggbb; null for none. */
    color: text('color'),
    rank: text('rank').notNull(),
    created_at: time('created_at').notNull(),
  },
  (t) => [index('sections_order').on(t.team_id, t.project_id, t.rank)],
)
