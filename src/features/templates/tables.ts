import { id, index, int, json, table, text, time } from '../../store/columns.ts'
import { actors } from '../people/index.ts'
import { projects } from '../projects/index.ts'
import type { Clean } from '../tasks/index.ts'

/** What of a task comes back with every task that is made like it. */
export interface Pattern {
  title: string
  /** As it was kept, so it need not be cleaned again. */
  description: Clean | null
  content_type: 'html' | 'markdown'
  priority: number
  estimate: number
  /** By id, so that a label may be renamed. */
  label_ids: number[]
}

export const taskTemplates = table(
  'task_templates',
  {
    template_id: id('template_id'),
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    name: text('name').notNull(),
    title: text('title').notNull(),
    description: text('description').$type<Clean>(),
    content_type: text('content_type').$type<Pattern['content_type']>().notNull(),
    priority: int('priority').notNull(),
    estimate: int('estimate').notNull(),
    label_ids: json<number[]>('label_ids').notNull(),
    /** Null where it was saved without them. */
    subtasks: json<Pattern[]>('subtasks'),
    subtask_count: int('subtask_count').notNull(),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [index('task_templates_board').on(t.team_id, t.project_id, t.name, t.template_id)],
)
