import { and, asc, eq } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import type { ChangeVerb } from '../../../../kernel/changes.ts'
import { fault } from '../../../../kernel/fault.ts'
import { placeOf } from '../../../boards/projects/model/index.ts'
import type { PrBadge } from '../../states/model/index.ts'
import { type Located, type Task, updateDerivedColumns } from '../../tasks/model/index.ts'
import { badgeOf, canonicalUrl } from './rules.ts'
import { pullRequests } from './tables.ts'

export type PullRequest = typeof pullRequests.$inferSelect
export type Draft = Pick<PullRequest, 'url' | 'title' | 'state' | 'checks'> &
  Partial<Pick<PullRequest, 'head_sha' | 'results' | 'told_at' | 'branch'>>

export const MAX_PULL_REQUESTS = 50

export const ofTask = ({ team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>) =>
  and(eq(pullRequests.team_id, team_id), eq(pullRequests.task_id, task_id))

export const pullRequestsOf = (tx: Tx, task: Task): Promise<PullRequest[]> =>
  tx.select().from(pullRequests).where(ofTask(task)).orderBy(asc(pullRequests.pull_request_id))

/** Returns the canonical URL of a pull request. Throws a fault for the field if it is none. */
export function parsePullRequestUrl(field: string, input: string): string {
  const url = canonicalUrl(input)
  if (url !== undefined && url.length <= 2000) return url
  throw fault.invalid(
    field,
    'invalid_format',
    `${field} must be the http or https URL of a pull request`,
    input,
    'For example https://github.com/acme/site/pull/12',
  )
}

/** The task must be locked, so that no concurrent request adds the same pull request. */
export async function insertPullRequest(
  ctx: Context,
  { task }: Located,
  draft: Draft,
): Promise<PullRequest> {
  const { tx, now, caller } = ctx
  const [created] = await tx
    .insert(pullRequests)
    .values({
      team_id: task.team_id,
      task_id: task.task_id,
      head_sha: null,
      results: {},
      told_at: 0,
      ...{ review: 'none' as const, reviews: null, branch: null, preview_url: null },
      ...draft,
      created_by: caller.actor_id,
      created_at: now,
      updated_at: now,
    })
    .returning()
  emitChange(ctx, task, 'created', created!)
  return created!
}

const VISIBLE = ['title', 'state', 'checks', 'review', 'branch', 'preview_url'] as const
type VisibleField = (typeof VISIBLE)[number]

/**
 * Writes the fields that differ, and emits a change if a visible one is among them. Returns the
 * names of the visible fields that changed.
 */
export async function updatePullRequest(
  ctx: Context,
  task: Task,
  before: PullRequest,
  set: Partial<PullRequest>,
): Promise<{ row: PullRequest; changed: VisibleField[] }> {
  const differs = (name: keyof PullRequest) =>
    set[name] !== undefined && JSON.stringify(set[name]) !== JSON.stringify(before[name])
  if (!(Object.keys(set) as (keyof PullRequest)[]).some(differs))
    return { row: before, changed: [] }
  const changed = VISIBLE.filter(differs)
  const [row] = await ctx.tx
    .update(pullRequests)
    .set({ ...set, ...(changed.length && { updated_at: ctx.now }) })
    .where(eq(pullRequests.pull_request_id, before.pull_request_id))
    .returning()
  if (changed.length)
    emitChange(ctx, task, 'updated', row!, { changed, before: shortValues(before, changed) })
  return { row: row!, changed }
}

const shortValues = (row: PullRequest, names: readonly VisibleField[]) =>
  Object.fromEntries(names.map((name) => [name, truncate(row[name])]))

export async function deletePullRequest(ctx: Context, task: Task, row: PullRequest): Promise<void> {
  const { pull_request_id } = row
  await ctx.tx.delete(pullRequests).where(eq(pullRequests.pull_request_id, pull_request_id))
  emitChange(ctx, task, 'deleted', row)
}

function emitChange(
  ctx: Context,
  task: Task,
  verb: ChangeVerb<'pull_request'>,
  row: PullRequest,
  extra: object = {},
) {
  const { pull_request_id, state, checks, review, url } = row
  const { ticket_number, task_id } = task
  const data = {
    ticket_number,
    pull_request_id,
    title: truncate(row.title),
    state,
    checks,
    review,
    url,
    ...extra,
  }
  ctx.emit(`pull_request.${verb}`, { ...placeOf(task), task_id }, data)
}

const truncate = (text: string | null) =>
  text && text.length > 200 ? `${text.slice(0, 199).toWellFormed()}…` : text

/** Stores the combined state of its pull requests on the task. */
export async function updateBadge({ tx }: Context, task: Task): Promise<PrBadge | null> {
  const pr_badge = badgeOf(await pullRequestsOf(tx, task))
  if (pr_badge !== task.pr_badge) await updateDerivedColumns(tx, task.task_id, { pr_badge })
  return pr_badge
}
