import { Type as t } from '@sinclair/typebox'
import { leaseInput, operation } from '../../kernel/operation.ts'
import { locateTask, taskIdOf } from './address.ts'
import { address, SectionId, TaskId, TaskReceipt } from './schema.ts'
import { updateTask } from './update.ts'

export const place = operation({
  name: 'tasks.place',
  summary: 'Reorder a task within its column, or place it in another column',
  needs: 'tasks:write',
  on: { rest: 'POST /api/v1/tasks/:task/place', cli: 'tasks place <task>' },
  input: t.Object({
    ...address,
    section_id: t.Optional(SectionId),
    above_task_id: t.Optional(
      t.Union([TaskId, t.Null()], {
        description: 'Place it above this task of the column; null or omitted: last',
      }),
    ),
    ...leaseInput,
  }),
  output: TaskReceipt,
  guard: { by: 'lease', tasks: taskIdOf },
  async run({ section_id, above_task_id = null, ...address }, ctx) {
    return updateTask(ctx, await locateTask(ctx, address), { section_id, above: above_task_id })
  },
})
