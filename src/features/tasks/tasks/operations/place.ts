import { Type as t } from '@sinclair/typebox'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { SectionId } from '../../../boards/sections/model/index.ts'
import { updateTask } from '../../edits/model/index.ts'
import { TaskReceipt } from '../../records/model/index.ts'
import { locateTask, taskIdOf } from '../model/address.ts'
import { address, TaskId } from '../model/schema.ts'

export const place = operation({
  name: 'tasks.place',
  summary: 'Reorder a task within its column, or place it in another column',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/tasks/:task/place',
    cli: { usage: 'tasks place <task>', example: 'HOM-3 --above-task HOM-1' },
  },
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
