import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { type IssueRow, setIssue } from './queue.ts'
import { snapshotOf } from './snapshot.ts'
import { issues } from './tables.ts'

/**
 * Writes what came from the host. If the task had been synchronized before, it still is, so that
 * the own changes do not start another comparison.
 */
export async function writeIncoming<T>(
  ctx: Pick<Context, 'tx'>,
  { issue_id, task_id }: IssueRow,
  job: () => Promise<T>,
): Promise<T> {
  const [row] = await ctx.tx.select().from(issues).where(eq(issues.issue_id, issue_id))
  const before = await snapshotOf(ctx.tx, task_id!)
  const result = await job()
  if (row && before && row.task_digest === before.digest) {
    const after = await snapshotOf(ctx.tx, task_id!)
    await setIssue(ctx.tx, row, { task_digest: after!.digest })
  }
  return result
}
