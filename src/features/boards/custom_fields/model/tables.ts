import {
  id,
  index,
  int,
  json,
  primaryKey,
  real,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { projects } from '../../projects/model/index.ts'
import type { FieldType, Option } from './rules.ts'

export const customFields = table(
  'custom_fields',
  { exported: true },
  {
    custom_field_id: id('custom_field_id'),
    /** The public id, a UUID. */
    field_id: text('field_id').notNull(),
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    name: text('name').notNull(),
    /** The name in the form in which names are compared; unique on its board. */
    folded: text('folded').notNull(),
    type: text('type').$type<FieldType>().notNull(),
    /** Set only for a select. */
    options: json<Option[]>('options'),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('custom_fields_public').on(t.field_id),
    uniqueIndex('custom_fields_name').on(t.team_id, t.project_id, t.folded),
  ],
)

/**
 * The value of a task in a custom field. The field's type decides which of the two columns holds
 * it.
 */
export const taskFields = table(
  'task_fields',
  { exported: true },
  {
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    custom_field_id: int('custom_field_id')
      .notNull()
      .references(() => customFields.custom_field_id),
    number: real('number'),
    /** Text, a URL, a day, the id of an option, `true` or `false`. */
    text: text('text'),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.task_id, t.custom_field_id] }),
    index('task_fields_number').on(t.team_id, t.custom_field_id, t.number, t.task_id),
    index('task_fields_text').on(t.team_id, t.custom_field_id, t.text, t.task_id),
  ],
)
