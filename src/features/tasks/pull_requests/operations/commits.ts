import { and, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import { addEvidence, addressOf, evidenceOf } from '../../../conversation/evidence/model/index.ts'
import { type Located, locateTask, taskByTicket, tasks } from '../../tasks/model/index.ts'
import { ticketKeysIn } from '../model/rules.ts'
import type { SyncInput } from '../model/schema.ts'
import {
  insertPullRequest,
  MAX_PULL_REQUESTS,
  type PullRequest,
  pullRequestsOf,
  updateBadge,
} from '../model/store.ts'
import { pullRequests } from '../model/tables.ts'

type Commit = NonNullable<SyncInput['commits']>[number]

/** Of pushes without end, only the last commits of a task are linked. */
const MAX_LINKED = 50

/**
 * Links pushed commits to the tasks whose ticket keys are in their messages, as evidence, and the
 * open pull request that they were pushed to. Returns what was linked.
 */
export async function linkCommits(ctx: Context, project: Project, input: SyncInput) {
  const { commits = [], sha, previous_sha } = input
  if (!commits.length) return []
  const heads = [sha, previous_sha].flatMap((one) => one?.toLowerCase() ?? [])
  const known = await openPullRequests(ctx.tx, project, heads)
  const linked = []
  for (const [task_id, own] of await commitsByTask(ctx, project, commits)) {
    const located = await locateTask(ctx, { task_id })
    await addCommits(ctx, located, own)
    for (const row of await linkPullRequests(ctx, located, known))
      linked.push({ ticket_number: located.task.ticket_number, row })
  }
  return linked
}

/** The tasks of the board that messages name, in ascending order, so that locks do not cross. */
async function commitsByTask(ctx: Context, project: Project, commits: readonly Commit[]) {
  const found = new Map<number, Commit[]>()
  for (const commit of commits)
    for (const key of ticketKeysIn(commit.message)) {
      const task = await taskByTicket(ctx, project.team_id, key)
      if (task?.project_id !== project.project_id || task.status === 'Deleted') continue
      found.set(task.task_id, [...(found.get(task.task_id) ?? []), commit])
    }
  return [...found].sort(([a], [b]) => a - b)
}

const firstLine = (message: string) =>
  message.trim().split(/\r?\n/)[0]!.slice(0, 500).toWellFormed()

/** Hosts repeat events, and the same commit is pushed to several branches. */
async function addCommits(ctx: Context, { task }: Located, commits: readonly Commit[]) {
  const links = await evidenceOf(ctx, task, 'link')
  const known = new Set(links.map(({ url }) => url))
  for (const { sha, message, url: given } of commits.slice(-MAX_LINKED)) {
    const url = addressOf(given)
    if (!url || known.has(url)) continue
    known.add(url)
    const summary = `Commit ${sha.slice(0, 7)}: ${firstLine(message)}`
    await addEvidence(ctx, task, { kind: 'link', summary, url, attachment_id: null })
  }
}

/** Open pull requests of the board whose last commit was the one before or after a push. */
async function openPullRequests(tx: Tx, { team_id, project_id }: Project, heads: string[]) {
  if (!heads.length) return []
  const rows: PullRequest[] = await tx
    .select(getTableColumns(pullRequests))
    .from(pullRequests)
    .innerJoin(tasks, eq(tasks.task_id, pullRequests.task_id))
    .where(
      and(
        eq(pullRequests.team_id, team_id),
        eq(tasks.project_id, project_id),
        eq(pullRequests.state, 'open'),
        inArray(pullRequests.head_sha, heads),
      ),
    )
  return [...new Map(rows.map((row) => [row.url, row])).values()]
}

async function linkPullRequests(ctx: Context, located: Located, known: readonly PullRequest[]) {
  const existing = await pullRequestsOf(ctx.tx, located.task)
  const missing = known.filter(({ url }) => !existing.some((one) => one.url === url))
  const added = []
  for (const row of missing.slice(0, MAX_PULL_REQUESTS - existing.length)) {
    const { url, title, state, checks, branch, head_sha, results, told_at } = row
    const draft = { url, title, state, checks, branch, head_sha, results, told_at }
    added.push(await insertPullRequest(ctx, located, draft))
  }
  if (added.length) await updateBadge(ctx, located.task)
  return added
}
