import { and, desc, eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { type Run, runs } from '../../../agents/runs/model/index.ts'
import { pullRequests } from '../../../tasks/pull_requests/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { Repository } from '../../repositories/model/index.ts'

/**
 * Whether a branch is the one of a task, as `branchOf` names it. Only the key is compared, because
 * the title of the task may have changed since.
 */
export function isBranchOf(branch: string | null, ticket_number: string): boolean {
  const [name, key] = [branch?.toLowerCase() ?? '', ticket_number.toLowerCase()]
  return name === key || name.startsWith(`${key}-`)
}

/** For each task that has the pull request from its own branch, the run that works on it. */
export async function runsOfBranch(
  tx: Tx,
  { team_id, project_id }: Repository,
  url: string,
): Promise<Run[]> {
  const linked = await tx
    .select({
      task_id: tasks.task_id,
      ticket_number: tasks.ticket_number,
      branch: pullRequests.branch,
    })
    .from(pullRequests)
    .innerJoin(tasks, eq(tasks.task_id, pullRequests.task_id))
    .where(
      and(
        eq(pullRequests.team_id, team_id),
        eq(pullRequests.url, url),
        eq(tasks.project_id, project_id),
        eq(tasks.status, 'Normal'),
      ),
    )
  const found: Run[] = []
  for (const { task_id, ticket_number, branch } of linked) {
    if (!isBranchOf(branch, ticket_number)) continue
    const run = await currentRunOf(tx, team_id, task_id)
    if (run) found.push(run)
  }
  return found
}

/** The newest open run of a task; without an open one, the newest. */
async function currentRunOf(tx: Tx, team_id: number, task_id: number): Promise<Run | undefined> {
  const rows = await tx
    .select()
    .from(runs)
    .where(and(eq(runs.team_id, team_id), eq(runs.task_id, task_id)))
    .orderBy(desc(runs.run_id))
    .limit(20)
  return rows.find(({ ended_at }) => ended_at === null) ?? rows[0]
}
