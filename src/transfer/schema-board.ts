import { Type as t } from '@sinclair/typebox'
import {
  int32,
  Key,
  Moment,
  nullable,
  oneOf,
  Rank,
  Short,
  strict,
  Text,
  Uuid,
  Who,
} from './schema-parts.ts'

const section = strict({
  title: Short,
  role: oneOf('intake', 'committed', 'building', 'verify', 'done'),
  is_done: nullable(t.Boolean()),
  done: t.Boolean(),
  hidden: t.Boolean(),
  auto_assign: nullable(Who),
  // Files from before WIP limits have none.
  wip_limit: t.Optional(nullable(t.Integer({ minimum: 1, maximum: 1000 }))),
  rank: Rank,
  created_at: Moment,
})
const field = strict({
  field_id: Uuid,
  name: Short,
  type: oneOf('number', 'text', 'select', 'date', 'checkbox', 'url'),
  options: nullable(
    t.Array(strict({ option_id: t.String({ maxLength: 100 }), label: Short }), { maxItems: 1000 }),
  ),
  created_by: Who,
  created_at: Moment,
})
const label = strict({ name: Short, color: t.String({ maxLength: 50 }), created_at: Moment })

export const boardRecords = {
  board: strict({
    key: Key,
    title: Short,
    description: nullable(Text),
    access: oneOf('team', 'invited'),
    status: oneOf('Normal', 'Archive'),
    next_number: t.Integer({ minimum: 1, maximum: int32 }),
    custom_instruction: nullable(Text),
    working_rules: nullable(Text),
    definition_of_done: t.Array(Text, { maxItems: 1000 }),
    notes: nullable(Text),
    // Files from before auto-archive have none.
    auto_archive_days: t.Optional(nullable(t.Integer({ minimum: 1, maximum: 3650 }))),
    model_selected: nullable(t.String({ maxLength: 200 })),
    playbook_version: t.Integer({ minimum: 1, maximum: int32 }),
    source_summary: nullable(Text),
    created_by: Who,
    created_at: Moment,
    updated_at: Moment,
    sections: t.Array(section, { maxItems: 1000 }),
    labels: t.Array(label, { maxItems: 10_000 }),
    fields: t.Array(field, { maxItems: 10_000 }),
    members: t.Array(strict({ who: Who, added_at: Moment }), { maxItems: 100_000 }),
  }),
} as const
