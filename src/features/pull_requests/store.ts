import { and, asc, eq } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { placeOf } from '../projects/index.ts'
import { type Located, noteOn, type PrBadge, type Task } from '../tasks/index.ts'
import { addressOf, badgeOf } from './rules.ts'
import { pullRequests } from './tables.ts'

export type PullRequest = typeof pullRequests.$inferSelect
export type Draft = Pick<PullRequest, 'url' | 'title' | 'state' | 'checks'> &
  Partial<Pick<PullRequest, 'head_sha' | 'results' | 'told_at'>>

export const MOST_PULL_REQUESTS = 50

export const ofTask = ({ team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>) =>
  and(eq(pullRequests.team_id, team_id), eq(pullRequests.task_id, task_id))

export const pullRequestsOf = (tx: Tx, task: Task): Promise<PullRequest[]> =>
  tx.select().from(pullRequests).where(ofTask(task)).orderBy(asc(pullRequests.pull_request_id))

/** The one address that all pages of a pull request are known by. */
export function urlIn(field: string, given: string): string {
  const url = addressOf(given)
  if (url !== undefined && url.length <= 2000) return url
  throw fault.invalid(
    field,
    'invalid_format',
    `${field} is not the http or https address of a pull request`,
    given,
    'Write it as in https://github.com/acme/site/pull/12',
  )
}

/** The caller holds the task, so that what it has already is known. */
export async function add(ctx: Context, { task }: Located, draft: Draft): Promise<PullRequest> {
  const { tx, now, caller } = ctx
  const [made] = await tx
    .insert(pullRequests)
    .values({
      ...{ team_id: task.team_id, task_id: task.task_id },
      ...{ head_sha: null, results: {}, told_at: 0 },
      ...draft,
      ...{ created_by: caller.actor_id, created_at: now, updated_at: now },
    })
    .returning()
  tell(ctx, task, 'created', made!)
  return made!
}

type Told = 'title' | 'state' | 'checks'

/** Writes what is new of it, and tells of what people see. Answers what that is. */
export async function revise(
  ctx: Context,
  task: Task,
  before: PullRequest,
  set: Partial<PullRequest>,
): Promise<{ row: PullRequest; changed: Told[] }> {
  const differs = (name: keyof PullRequest) =>
    set[name] !== undefined && JSON.stringify(set[name]) !== JSON.stringify(before[name])
  if (!(Object.keys(set) as (keyof PullRequest)[]).some(differs))
    return { row: before, changed: [] }
  const changed = (['title', 'state', 'checks'] as const).filter(differs)
  const [row] = await ctx.tx
    .update(pullRequests)
    .set({ ...set, ...(changed.length && { updated_at: ctx.now }) })
    .where(eq(pullRequests.pull_request_id, before.pull_request_id))
    .returning()
  if (changed.length) tell(ctx, task, 'updated', row!, { changed, before: parts(before, changed) })
  return { row: row!, changed }
}

const parts = (row: PullRequest, names: readonly Told[]) =>
  Object.fromEntries(names.map((name) => [name, short(row[name])]))

export async function drop(ctx: Context, task: Task, row: PullRequest): Promise<void> {
  const { pull_request_id } = row
  await ctx.tx.delete(pullRequests).where(eq(pullRequests.pull_request_id, pull_request_id))
  tell(ctx, task, 'deleted', row)
}

function tell(ctx: Context, task: Task, what: string, row: PullRequest, more: object = {}) {
  const { pull_request_id, state, checks } = row
  const { ticket_number, task_id } = task
  const told = { ticket_number, pull_request_id, title: short(row.title), state, checks, ...more }
  ctx.emit(`pull_request.${what}`, { ...placeOf(task), task_id }, told)
}

const short = (text: string | null) =>
  text && text.length > 200 ? `${text.slice(0, 199).toWellFormed()}…` : text

/** Shows on the task what its pull requests come to. */
export async function badge({ tx }: Context, task: Task): Promise<PrBadge | null> {
  const pr_badge = badgeOf(await pullRequestsOf(tx, task))
  if (pr_badge !== task.pr_badge) await noteOn(tx, task.task_id, { pr_badge })
  return pr_badge
}
