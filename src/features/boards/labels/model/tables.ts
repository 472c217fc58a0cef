import { sql } from 'drizzle-orm'
import {
  id,
  index,
  int,
  primaryKey,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { placeColumns, tasks } from '../../../tasks/tasks/model/index.ts'
import { projects } from '../../projects/model/index.ts'

export const labels = table(
  'labels',
  { exported: true },
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

export const taskLabels = table(
  'task_labels',
  { exported: true },
  {
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    label_id: int('label_id')
      .notNull()
      .references(() => labels.label_id),
    ...placeColumns(),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.task_id, t.label_id] }),
    index('task_labels_label').on(t.team_id, t.label_id, t.status, t.project_id, t.task_id),
  ],
)
