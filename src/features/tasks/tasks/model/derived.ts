import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { tasks } from './tables.ts'

type DerivedColumns = Pick<
  typeof tasks.$inferSelect,
  'comment_count' | 'last_comment_at' | 'attachment_count' | 'page_count' | 'pr_badge'
>

/**
 * Updates the columns that other features derive for a task. This is no edit, so `updated_at`
 * stays.
 */
export async function updateDerivedColumns(
  tx: Tx,
  task_id: number,
  values: Partial<DerivedColumns>,
): Promise<void> {
  await tx.update(tasks).set(values).where(eq(tasks.task_id, task_id))
}
