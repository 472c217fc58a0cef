import { eq } from 'drizzle-orm'
import type { Tx } from '../../kernel/caller.ts'
import { tasks } from './tables.ts'

type Noted = Pick<
  typeof tasks.$inferSelect,
  'comment_count' | 'last_comment_at' | 'attachment_count' | 'page_count' | 'pr_badge'
>

/** Keeps with a task what others count about it. It is no edit: `updated_at` stays. */
export async function noteOn(tx: Tx, task_id: number, noted: Partial<Noted>): Promise<void> {
  await tx.update(tasks).set(noted).where(eq(tasks.task_id, task_id))
}
