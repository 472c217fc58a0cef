import { id, int, json, table, text, time, uniqueIndex } from '../../store/columns.ts'
import { actors } from '../people/index.ts'
import { projects } from '../projects/index.ts'
import type { FieldType, Option } from './rules.ts'

export const customFields = table(
  'custom_fields',
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
