import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { param, preparedFor } from '../../../../store/prepared.ts'
import { send } from '../../../../store/send.ts'
import { tasks } from './tables.ts'

type DerivedColumns = Pick<
  typeof tasks.$inferSelect,
  'comment_count' | 'last_comment_at' | 'attachment_count' | 'page_count' | 'pr_badge'
>

/**
 * Updates the columns that other features derive for a task. This is no edit, so `updated_at`
 * stays.
 */
export const updateDerivedColumns = (
  tx: Tx,
  task_id: number,
  values: Partial<DerivedColumns>,
): Promise<void> => send(tx, rowUpdate(tx, Object.keys(values)).execute({ ...values, of: task_id }))

const rowUpdate = preparedFor((tx, names) =>
  tx
    .update(tasks)
    .set(Object.fromEntries(names.map((name) => [name, param(name)])))
    .where(eq(tasks.task_id, param('of')))
    .prepare(`task_derived_${names.join('_')}`),
)
