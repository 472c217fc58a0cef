import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import {
  type HostComment,
  HostError,
  type HostIssue,
  isOwnAccount,
} from '../../hosts/model/index.ts'
import { syncComments } from './comments.ts'
import { createTaskOf } from './create-task.ts'
import { markIn, withMark } from './marks.ts'
import { finishIssue, type IssueRow, setIssue } from './queue.ts'
import { reconcile } from './reconcile.ts'
import { type Snapshot, snapshotOf } from './snapshot.ts'
import { issueComments, issues } from './tables.ts'
import type { Target } from './target.ts'
import { creditLine, hostTitle, markdownOf } from './texts.ts'

/** Makes a task and its issue equal. Repeating it after a crash at any point changes nothing. */
export async function syncIssue(target: Target, row: IssueRow): Promise<void> {
  const { store, clock } = target.services
  // The task was deleted forever. Its issue had been synchronized, so it stays at the host.
  if (row.task_id === null && row.base) return store.write((tx) => finishIssue(tx, row, clock()))
  // The task was deleted forever before its issue was created.
  if (row.task_id === null && row.number === null) return store.write((tx) => forgetIssue(tx, row))
  const before = row.task_id === null ? undefined : await readSnapshot(target, row.task_id)
  const isGone = row.task_id !== null && before?.task.project_id !== target.repository.project_id
  if (isGone) return store.write((tx) => forgetIssue(tx, row))
  const isUnchanged = !row.check_host && row.base && before?.digest === row.task_digest
  if (before?.task.status !== 'Deleted' && !isUnchanged) {
    const linked = row.number === null ? await createIssueOf(target, row, before!) : row
    if (!(await syncLinked(target, linked))) return
  }
  await store.write((tx) => finishIssue(tx, row, clock()))
}

export const readSnapshot = ({ services }: Target, task_id: number) =>
  services.store.read((tx) => snapshotOf(tx, task_id))

/** False if the row no longer exists. */
async function syncLinked(target: Target, linked: IssueRow): Promise<boolean> {
  const { client, repository, services } = target
  const issue = await client.issue(repository.name, linked.number!)
  if (!issue) return dropMissing(target, linked)
  const comments = issue.commentCount ? await client.comments(repository.name, issue.number) : []
  const row = linked.task_id === null ? await adopt(target, linked, issue) : linked
  if (!row) {
    await services.store.write((tx) => forgetIssue(tx, linked))
    return false
  }
  await syncBoth(target, row, issue, comments)
  await services.store.write((tx) =>
    setIssue(tx, row, { host_updated_at: issue.updatedAt, url: issue.url }),
  )
  return true
}

async function syncBoth(
  target: Target,
  row: IssueRow,
  issue: HostIssue,
  comments: HostComment[],
): Promise<void> {
  const before = await readSnapshot(target, row.task_id!)
  if (!before) return
  const incoming = await reconcile(target, row, before, issue)
  const receive = await syncComments(target, row, before, comments)
  // From here on, the host has everything that the task had when it was read.
  await target.services.store.write((tx) => setIssue(tx, row, { task_digest: before.digest }))
  await incoming()
  await receive()
}

/** An issue that is gone stays known, so that its task is not offered to the host again. */
async function dropMissing({ services }: Target, row: IssueRow): Promise<boolean> {
  const hasTask = row.task_id !== null
  await services.store.write(async (tx) => {
    if (!hasTask) return forgetIssue(tx, row)
    await finishIssue(tx, row, services.clock())
    await setIssue(tx, row, { error: 'The issue was deleted at the host' })
  })
  return false
}

/**
 * Finds or creates the task of an issue. Undefined if the issue is none of those that are
 * synchronized, or if it was created here and its row is another one.
 */
async function adopt(target: Target, row: IssueRow, issue: HostIssue) {
  const { repository, host, services } = target
  const mark = isOwnAccount(host, issue.author) ? markIn(issue.text) : undefined
  const original = mark && (await services.store.read((tx) => rowWithMark(tx, row, mark)))
  if (original) {
    if (original.number !== null) return undefined
    return services.store.write((tx) => claimNumber(tx, original, issue))
  }
  const { label, created_at } = repository
  const isWanted = !label || issue.labels.some((name) => name.toLowerCase() === label.toLowerCase())
  const isOld = issue.isClosed && issue.createdAt < created_at
  return isWanted && !isOld ? createTaskOf(target, row, issue) : undefined
}

async function rowWithMark(tx: Tx, { repository_id, issue_id }: IssueRow, mark: string) {
  const [found] = await tx
    .select()
    .from(issues)
    .where(
      and(
        eq(issues.repository_id, repository_id),
        eq(issues.mark, mark),
        ne(issues.issue_id, issue_id),
      ),
    )
  return found
}

/** Notes which issue the task became, in place of a row that an event of the host added. */
async function claimNumber(tx: Tx, row: IssueRow, issue: HostIssue): Promise<IssueRow> {
  const { number, url } = issue
  await tx
    .delete(issues)
    .where(
      and(
        eq(issues.repository_id, row.repository_id),
        eq(issues.number, number),
        isNull(issues.task_id),
      ),
    )
  await setIssue(tx, row, { number, url })
  return { ...row, number, url }
}

/** Creates the issue of a task. After a crash, it looks for the issue first. */
async function createIssueOf(target: Target, row: IssueRow, { task }: Snapshot): Promise<IssueRow> {
  const { client, repository, services } = target
  const { store, clock } = services
  const found = row.creating_at && (await findCreated(target, row, row.creating_at))
  if (found) return store.write((tx) => claimNumber(tx, row, found))
  if (!row.creating_at) await store.write((tx) => setIssue(tx, row, { creating_at: clock() }))
  const text = await markdownOf(target, task.description ?? '', task.content_type)
  const line = await creditLine(target, task.created_by, task)
  const issue = await client.createIssue(repository.name, {
    title: hostTitle(task.title),
    text: withMark(text, row.mark, line),
  })
  return store.write((tx) => claimNumber(tx, { ...row, creating_at: clock() }, issue))
}

/** Clocks may differ by this much. */
const CLOCK_DIFFERENCE_MS = 15 * 60_000
const MAX_SEARCHED_PAGES = 20

async function findCreated({ client, repository, host }: Target, row: IssueRow, at: Date) {
  const since = new Date(at.getTime() - CLOCK_DIFFERENCE_MS)
  for (let page = 1; page <= MAX_SEARCHED_PAGES; page++) {
    const { items, hasMore } = await client.issues(repository.name, { page, since })
    const own = items.find(
      ({ text, author }) => isOwnAccount(host, author) && markIn(text) === row.mark,
    )
    if (own || !hasMore) return own
  }
  throw new HostError('invalid', 'Too many issues changed to find the one that was created')
}

export async function forgetIssue(tx: Tx, { issue_id }: Pick<IssueRow, 'issue_id'>): Promise<void> {
  await tx.delete(issueComments).where(eq(issueComments.issue_id, issue_id))
  await tx.delete(issues).where(eq(issues.issue_id, issue_id))
}
