import { type Static, Type as t } from '@sinclair/typebox'
import { similarTasks, TaskReceipt, TaskRecord } from '../../../../tasks/records/model/index.ts'

const At = t.Integer({ description: 'Offset in the submitted title, in UTF-16 code units' })
const MEANINGS = [
  'due_date',
  'recurrence',
  'priority',
  'estimate',
  'project_id',
  'labels',
  'assignees',
] as const

/** A part of the title that was recognized and removed. */
const Part = t.Object({
  text: t.String(),
  means: t.Union(MEANINGS.map((field) => t.Literal(field))),
  from: At,
  to: At,
})

export const Understood = t.Object(
  {
    ...t.Pick(TaskRecord, [
      'title',
      'due_date',
      'recurrence',
      'priority',
      'priority_name',
      'estimate',
    ]).properties,
    project_id: TaskRecord.properties.project_id,
    project_title: t.String(),
    labels: t.Array(t.String()),
    assignees: TaskRecord.properties.assignees,
    parts: t.Array(Part, { description: 'Parts recognized and removed from the title, in order' }),
  },
  { description: 'Fields parsed from the title' },
)
export type Understood = Static<typeof Understood>
export type Part = Understood['parts'][number]

export const natural = {
  natural: t.Optional(
    t.Boolean({
      description: 'Parse dates, repeats, !priority, ~size, #board, #label, @name in the title',
    }),
  ),
  keep_board: t.Optional(
    t.Boolean({ description: 'With natural: #name in the title is only a label, never a board' }),
  ),
  dry_run: t.Optional(
    t.Boolean({ description: 'With natural: return the parsed fields without creating a task' }),
  ),
}

export const Added = t.Union([
  t.Object(
    {
      ...TaskReceipt.properties,
      understood: t.Optional(Understood),
      similar: t.Optional(similarTasks),
    },
    { columns: TaskReceipt.columns },
  ),
  t.Object({ understood: Understood }, { description: 'Response to a dry run' }),
])
