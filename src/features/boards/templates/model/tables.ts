import { id, index, int, json, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import type { CleanString } from '../../../tasks/descriptions/model/index.ts'
import { fieldColumns, pickFields } from '../../../tasks/fields/model/index.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import { projects } from '../../projects/model/index.ts'

const templateColumns = pickFields('template', fieldColumns)

type FieldColumns = Pick<Task, keyof typeof templateColumns>

/** The content of a task that a template copies. Older subtasks lack some fields. */
export interface Pattern extends Partial<FieldColumns> {
  title: string
  /** Stored text, which is clean already. */
  description: CleanString | null
  content_type: 'html' | 'markdown'
  /** Stored by id, so that labels can be renamed. */
  label_ids: number[]
}

export const taskTemplates = table(
  'task_templates',
  { exported: true },
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
    ...templateColumns,
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
