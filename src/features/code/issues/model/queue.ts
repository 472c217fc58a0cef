import { and, asc, count, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { labelsOn } from '../../../boards/labels/model/index.ts'
import { taskById } from '../../../tasks/tasks/model/index.ts'
import {
  type Repository,
  repositories,
  repositoryById,
  updateRepository,
  wake,
} from '../../repositories/model/index.ts'
import { newMark } from './marks.ts'
import { issues } from './tables.ts'

export type IssueRow = typeof issues.$inferSelect

export const newIssueRow = (
  { team_id, repository_id }: Pick<Repository, 'team_id' | 'repository_id'>,
  due_at: Date,
) => ({
  ...{ team_id, repository_id, due_at, number: null, task_id: null, url: null, mark: newMark() },
  ...{ creating_at: null, base: null, task_digest: null, other_assignees: null, error: null },
  ...{ check_host: false, requests: 1, attempts: 0, host_updated_at: null, checked_at: null },
})

/** Requests that the worker compares an issue of the host with its task, which may not exist yet. */
export async function requestIssue(
  tx: Tx,
  repository: Pick<Repository, 'team_id' | 'repository_id'>,
  number: number,
  now: Date,
): Promise<void> {
  const { repository_id } = repository
  await tx
    .insert(issues)
    .values({ ...newIssueRow(repository, now), number, check_host: true })
    .onConflictDoUpdate({
      target: [issues.repository_id, issues.number],
      set: { due_at: now, check_host: true, requests: sql`${issues.requests} + 1` },
    })
  await wake(tx, repository_id, now)
}

/** Takes an event of the webhook of a repository. */
export async function requestIssueOf(
  tx: Tx,
  repository_id: number,
  number: number,
  now: Date,
): Promise<void> {
  const repository = await repositoryById(tx, repository_id)
  if (!repository) return
  await requestIssue(tx, repository, number, now)
  await updateRepository(tx, repository_id, { event_at: now })
}

const CHANGES = new Set([
  ...['task.created', 'task.updated', 'task.assigned', 'task.unassigned', 'task.left'],
  ...['comment.created', 'comment.updated', 'comment.deleted'],
])
/** Only these make a task one that needs an issue. */
const OFFERING = new Set(['task.created', 'task.updated'])

/** Requests the synchronization of tasks that changed, for boards with linked repositories. */
export async function queueIssues(tx: Tx, changes: readonly LoggedChange[]): Promise<void> {
  const relevant = changes.filter(({ type, task_id }) => task_id !== null && CHANGES.has(type))
  const boards = [...new Set(relevant.flatMap(({ project_id }) => project_id ?? []))]
  if (!boards.length) return
  const linked = await tx
    .select()
    .from(repositories)
    .where(and(inArray(repositories.project_id, boards), eq(repositories.issues, true)))
    .orderBy(repositories.repository_id)
  if (!linked.length) return
  for (const change of relevant) {
    const candidates = linked.filter(({ project_id }) => project_id === change.project_id)
    if (candidates.length) await queueTask(tx, change, candidates)
  }
}

async function queueTask(tx: Tx, change: LoggedChange, candidates: Repository[]): Promise<void> {
  const { task_id, type, created_at: now } = change
  const [known] = await tx
    .update(issues)
    .set({ due_at: now, requests: sql`${issues.requests} + 1` })
    .where(eq(issues.task_id, task_id!))
    .returning({ repository_id: issues.repository_id })
  if (known) return void (await wake(tx, known.repository_id, now))
  if (!OFFERING.has(type)) return
  const repository = await repositoryFor(tx, change, candidates)
  if (!repository) return
  const row = { ...newIssueRow(repository, now), task_id }
  await tx.insert(issues).values(row).onConflictDoNothing()
  await wake(tx, repository.repository_id, now)
}

/** The first repository that takes the task: tasks with its label, or all that were created since. */
async function repositoryFor(tx: Tx, { task_id }: LoggedChange, candidates: Repository[]) {
  const task = await taskById(tx, task_id!)
  if (task?.status !== 'Normal') return undefined
  const labels = (await labelsOn(tx, task)).map(({ name }) => name.toLowerCase())
  return candidates.find(({ label, created_at, project_id }) => {
    if (project_id !== task.project_id) return false
    return label ? labels.includes(label.toLowerCase()) : task.created_at >= created_at
  })
}

/** The next issue to handle. */
export async function nextIssue(
  tx: Tx,
  { repository_id }: Repository,
  now: Date,
): Promise<IssueRow | undefined> {
  const [row] = await tx
    .select()
    .from(issues)
    .where(and(eq(issues.repository_id, repository_id), lte(issues.due_at, now)))
    .orderBy(asc(issues.due_at), asc(issues.issue_id))
    .limit(1)
  return row
}

export const setIssue = (
  tx: Tx,
  { issue_id }: Pick<IssueRow, 'issue_id'>,
  set: Partial<IssueRow>,
) => tx.update(issues).set(set).where(eq(issues.issue_id, issue_id))

/** Notes that an issue was handled, unless a request arrived meanwhile. */
export async function finishIssue(tx: Tx, row: IssueRow, now: Date): Promise<void> {
  await setIssue(tx, row, { attempts: 0, error: null, checked_at: now })
  await tx
    .update(issues)
    .set({ due_at: null, check_host: false })
    .where(and(eq(issues.issue_id, row.issue_id), eq(issues.requests, row.requests)))
}

/** When the next issue is due; undefined if nothing waits. */
export async function nextDue(tx: Tx, repository_id: number): Promise<Date | undefined> {
  const [row] = await tx
    .select({ due_at: issues.due_at })
    .from(issues)
    .where(and(eq(issues.repository_id, repository_id), isNotNull(issues.due_at)))
    .orderBy(asc(issues.due_at))
    .limit(1)
  return row?.due_at ?? undefined
}

/** Requests a comparison of those that were compared longest ago, to find missed deletions. */
export async function requestOldest(
  tx: Tx,
  { repository_id }: Repository,
  now: Date,
  most: number,
) {
  const rows = await tx
    .select({ issue_id: issues.issue_id })
    .from(issues)
    .where(
      and(eq(issues.repository_id, repository_id), isNotNull(issues.number), isNull(issues.due_at)),
    )
    .orderBy(asc(issues.checked_at))
    .limit(most)
  const ids = rows.map(({ issue_id }) => issue_id)
  if (ids.length)
    await tx
      .update(issues)
      .set({ due_at: now, check_host: true, requests: sql`${issues.requests} + 1` })
      .where(inArray(issues.issue_id, ids))
}

/** How many issues are synchronized, how many wait, and how many have an error. */
export async function countIssues(tx: Tx, repository_id: number) {
  const [row] = await tx
    .select({ total: count(), pending: count(issues.due_at), failed: count(issues.error) })
    .from(issues)
    .where(eq(issues.repository_id, repository_id))
  return row!
}
