import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { type TaskUpdate, updateTask } from '../../edits/model/index.ts'
import { Recurrence, When } from '../../fields/model/index.ts'
import { TaskRecord, toTaskRecord } from '../../records/model/index.ts'
import { locateTask, refuseDeleted, taskById, taskIdOf } from '../model/address.ts'
import { TaskId } from '../model/schema.ts'

export const setStartDate = operation({
  name: 'tasks.set_start_date',
  summary: 'Set the start date of a task; null clears it',
  needs: 'tasks:write',
  on: { rest: 'POST /api/tasks/setStartDate' },
  input: t.Object({ taskId: TaskId, startDate: t.Union([When, t.Null()]), ...leaseInput }),
  output: TaskRecord,
  guard: {
    by: 'lease',
    tasks: ({ taskId }, ctx) => withRouteNames(() => taskIdOf({ task_id: taskId }, ctx)),
  },
  run: ({ taskId, startDate }, ctx) => updateAndShow(ctx, taskId, { start_date: startDate }),
})

export const setRecurrence = operation({
  name: 'tasks.set_recurrence',
  summary: 'Set the repeat rule of a task; null stops it',
  needs: 'tasks:write',
  on: { rest: 'POST /api/tasks/setRecurrence' },
  input: t.Object({ taskId: TaskId, recurrence: t.Union([Recurrence, t.Null()]), ...leaseInput }),
  output: TaskRecord,
  guard: {
    by: 'lease',
    tasks: ({ taskId }, ctx) => withRouteNames(() => taskIdOf({ task_id: taskId }, ctx)),
  },
  run: ({ taskId, recurrence }, ctx) => updateAndShow(ctx, taskId, { recurrence }),
})

const updateAndShow = (ctx: Context, task_id: number, changes: TaskUpdate) =>
  withRouteNames(async () => {
    const located = await locateTask(ctx, { task_id })
    if (Object.values(changes).some((value) => value !== null)) refuseDeleted(located.task)
    await updateTask(ctx, located, changes)
    return toTaskRecord(ctx, (await taskById(ctx.tx, task_id))!)
  })

const NAMES: Record<string, string> = { task_id: 'taskId', start_date: 'startDate' }

/** These two routes use camelCase names, so faults must name the fields that way. */
async function withRouteNames<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { field } = error.details
    const name = NAMES[String(field)]
    if (!name) throw error
    const message = error.message.replace(String(field), name)
    throw new Fault(error.code, message, { ...error.details, field: name }, error.hint)
  }
}
