import { type Static, Type as t } from '@sinclair/typebox'
import { TaskReceipt, TaskRecord } from '../../tasks/index.ts'

export type Recurrence = NonNullable<TaskRecord['recurrence']>

const At = t.Integer({ description: 'In the title as it was sent, in UTF-16 code units' })
const MEANINGS = [
  ...(['due_date', 'recurrence', 'priority'] as const),
  ...(['project_id', 'labels', 'assignees'] as const),
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
    ...t.Pick(TaskRecord, ['title', 'due_date', 'recurrence', 'priority', 'priority_name'])
      .properties,
    project_id: TaskRecord.properties.project_id,
    project_title: t.String(),
    labels: t.Array(t.String()),
    assignees: TaskRecord.properties.assignees,
    parts: t.Array(Part, { description: 'What was taken out of the title, in its order' }),
  },
  { description: 'What was made of the title' },
)
export type Understood = Static<typeof Understood>
export type Part = Understood['parts'][number]

export const natural = {
  natural: t.Optional(
    t.Boolean({
      description:
        'Dates, repeats, !priority, #board, #label and @name of the title are understood',
    }),
  ),
  dry_run: t.Optional(
    t.Boolean({ description: 'With natural: nothing is created, only what would be is shown' }),
  ),
}

export const Added = t.Union([
  t.Object(
    { ...TaskReceipt.properties, understood: t.Optional(Understood) },
    { columns: TaskReceipt.columns },
  ),
  t.Object({ understood: Understood }, { description: 'Of a dry run' }),
])
