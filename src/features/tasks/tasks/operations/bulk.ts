import { type Static, Type as t } from '@sinclair/typebox'
import { FAULTS, Fault } from '../../../../kernel/fault.ts'
import { TaskReceipt } from '../../records/model/index.ts'

/** The most tasks of one call. */
export const MAX_TASKS = 200

export const atomic = t.Optional(
  t.Boolean({
    description: 'Whether one refused task refuses all; default true. False: each has a result',
  }),
)

const Refusal = t.Object({
  error: t.String(),
  message: t.String(),
  details: t.Record(t.String(), t.Unknown()),
  hint: t.Optional(t.String()),
})

/** The receipt of a task, or why it was refused. */
export const BulkResult = t.Object(
  {
    ...t.Partial(TaskReceipt).properties,
    refused: t.Optional({ ...Refusal, description: 'Why this task was refused; nothing changed' }),
  },
  { columns: [...TaskReceipt.columns, 'refused'] },
)
export type BulkResult = Static<typeof BulkResult>

/** Turns the refusal of one task into its result. `named` says which task it is. */
export async function resultOf(
  named: Partial<TaskReceipt>,
  change: () => Promise<TaskReceipt>,
): Promise<BulkResult> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code, message, details, hint } = error
    return { ...named, refused: { error: FAULTS[code], message, details, ...(hint && { hint }) } }
  }
}
