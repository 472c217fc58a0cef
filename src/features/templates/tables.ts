import { id, index, int, json, table, text, time } from '../../store/columns.ts'
import { actors } from '../people/index.ts'
import { projects } from '../projects/index.ts'
import type { CleanString } from '../tasks/index.ts'

/** The content of a task that a template copies. */
export interface Pattern {
  title: string
  /** Stored text, which is clean already. */
  description: CleanString | null
  content_type: 'html' | 'markdown'
  priority: number
  estimate: number
  /** Stored by id, so that labels can be renamed. */
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
    description: text('description').$type<CleanString>(),
    content_type: text('content_type').$type<Pattern['content_type']>().notNull(),
    priority: int('priority').notNull(),
    estimate: int('estimate').notNull(),
    label_ids: json<number[]>('label_ids').notNull(),
    /** Null if it was saved without subtasks. */
    subtasks: json<Pattern[]>('subtasks'),
    subtask_count: int('subtask_count').notNull(),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [index('task_templates_board').on(t.team_id, t.project_id, t.name, t.template_id)],
)
