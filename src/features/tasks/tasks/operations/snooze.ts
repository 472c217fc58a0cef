import { type TSchema, Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { findSection } from '../../../boards/sections/model/index.ts'
import { parseMoment } from '../../../time/dates/model/index.ts'
import { Edit, save } from '../../edits/model/index.ts'
import { When } from '../../fields/model/index.ts'
import { receiptOf, TaskReceipt } from '../../records/model/index.ts'
import { isSnoozed } from '../../states/model/index.ts'
import { locateTask, refuseDeleted, taskIdOf } from '../model/address.ts'
import { address } from '../model/schema.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const snooze = operation({
  name: 'tasks.snooze',
  summary: 'Hide a task from My Tasks until a date; it stays on its board',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/tasks/:task/snooze',
    cli: { usage: 'tasks snooze <task> <until>', example: 'HOM-1 2030-01-07' },
    chat: true,
  },
  input: t.Object({
    ...address,
    until: orNull({ ...When, description: 'ISO 8601 date or date-time; null ends the snooze' }),
    ...leaseInput,
  }),
  output: TaskReceipt,
  guard: { by: 'lease', tasks: taskIdOf },
  async run({ until, ...address }, ctx) {
    const { task } = await locateTask(ctx, address)
    if (until !== null) refuseDeleted(task)
    const edit = new Edit(ctx, task)
    // A snooze that has expired already is not reported as a change.
    if (until !== null) edit.put('snoozed_until', parseUntil(ctx, until))
    else if (isSnoozed(task, ctx.now)) edit.put('snoozed_until', null)
    const saved = await save(edit)
    const section = await findSection(ctx, saved, saved.section_id)
    return receiptOf(ctx, saved, section, edit.changed)
  },
})

function parseUntil(ctx: Context, until: string): Date {
  const moment = parseMoment(ctx, 'until', until)
  if (moment > ctx.now) return moment
  throw fault.invalid(
    'until',
    'out_of_range',
    'until is in the past',
    until,
    'Use a later date; null ends a snooze',
  )
}
