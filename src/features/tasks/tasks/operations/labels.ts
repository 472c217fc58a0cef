import { type Static, Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { asField } from '../../../../kernel/reference.ts'
import { LabelRef } from '../../../boards/labels/model/index.ts'
import { MAX_TASKS } from '../../edits/model/index.ts'
import { TaskReceipt } from '../../records/model/index.ts'
import { resolveTaskIds } from '../model/references.ts'
import { TicketNumber } from '../model/schema.ts'
import { updateAll } from './update-many.ts'

const input = t.Object({
  ticket_numbers: t.Array(TicketNumber, {
    minItems: 1,
    maxItems: MAX_TASKS,
    description: 'Keys of the tasks',
  }),
  label: t.Union(LabelRef.anyOf, { description: 'Id or name of a label of their board' }),
  ...leaseInput,
})
const output = t.Array(TaskReceipt, { description: 'In the order of the request' })
type Input = Static<typeof input>

const guard = {
  by: 'lease',
  tasks: ({ ticket_numbers }: Input, ctx: Context) => resolveTaskIds(ctx, { ticket_numbers }),
} as const

export const addLabel = operation({
  name: 'tasks.add_label',
  summary: 'Add a label to tasks; their other labels stay',
  needs: 'tasks:write',
  on: { chat: true },
  input,
  output,
  guard,
  run: ({ ticket_numbers, label }, ctx) =>
    asField('label', updateAll(ctx, { ticket_numbers }, { add_labels: [label] }), ['add_labels']),
})

export const removeLabel = operation({
  name: 'tasks.remove_label',
  summary: 'Remove a label from tasks; their other labels stay',
  needs: 'tasks:write',
  on: { chat: true },
  input,
  output,
  guard,
  run: ({ ticket_numbers, label }, ctx) =>
    asField('label', updateAll(ctx, { ticket_numbers }, { remove_labels: [label] }), [
      'remove_labels',
    ]),
})
