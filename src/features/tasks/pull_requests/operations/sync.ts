import { Type as t } from '@sinclair/typebox'
import { and, eq, inArray, or } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { findProject, type Project, ProjectId } from '../../../boards/projects/model/index.ts'
import {
  type Located,
  locateTask,
  type Task,
  taskByTicket,
  tasks,
} from '../../tasks/model/index.ts'
import { type CheckResult, recordCheck } from '../model/check-evidence.ts'
import {
  addResult,
  addReview,
  canonicalUrl,
  combineChecks,
  combineReviews,
  isNewer,
  type Review,
  type State,
  ticketKeysIn,
} from '../model/rules.ts'
import { MAX_TITLE_LENGTH, type SyncInput, SyncResult, syncFields } from '../model/schema.ts'
import {
  insertPullRequest,
  MAX_PULL_REQUESTS,
  type PullRequest,
  parsePullRequestUrl,
  pullRequestsOf,
  updateBadge,
  updatePullRequest,
} from '../model/store.ts'
import { pullRequests } from '../model/tables.ts'
import { linkCommits } from './commits.ts'

/** An event of a host, normalized for the comparison with the stored pull requests. */
interface PullRequestEvent {
  urls: string[]
  sha?: string
  at: number
  state?: State
  title?: string
  branch?: string
  check?: CheckResult
  review?: { by: string; review: Review }
  preview_url?: string
}

const MAX_TASKS = 50

export const sync = operation({
  name: 'pull_requests.sync',
  summary: 'Report a change of a pull request; ticket keys in it link tasks',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/projects/:project_id/pull-requests/sync',
    cli: {
      usage: 'pulls sync <project_id>',
      example: "HOM --urls https://git.example.com/pull/7 --state merged --title 'HOM-1: logo'",
    },
  },
  input: t.Object({ project_id: ProjectId, ...syncFields }),
  output: SyncResult,
  async run({ project_id, ...input }, ctx) {
    const project = await findProject(ctx, project_id)
    const event = parseEvent(ctx, input)
    const namedTasks = event.state ? await tasksWithKeys(ctx, project, input) : new Set<number>()
    const linkedTasks = await tasksWithPullRequest(ctx, project, event)
    const linked = []
    // Locks the tasks in ascending order, so that two requests cannot deadlock.
    for (const task_id of [...new Set([...namedTasks, ...linkedTasks])].sort((a, b) => a - b)) {
      const located = await locateTask(ctx, { task_id })
      if (located.project.project_id !== project_id) continue
      for (const { row, changed } of await applyEvent(
        ctx,
        located,
        event,
        namedTasks.has(task_id),
      )) {
        const { pull_request_id, state, checks } = row
        const { ticket_number } = located.task
        linked.push({ ticket_number, pull_request_id, state, checks, changed })
      }
    }
    for (const { ticket_number, row } of await linkCommits(ctx, project, input)) {
      const { pull_request_id, state, checks } = row
      linked.push({ ticket_number, pull_request_id, state, checks, changed: ['url', 'state'] })
    }
    return { linked }
  },
})

function parseEvent(ctx: Context, { urls = [], at, title, ...rest }: SyncInput): PullRequestEvent {
  const { state, check, sha, review, preview_url, branch } = rest
  if (state && urls.length !== 1)
    throw fault.invalid(
      'urls',
      urls.length ? 'conflict' : 'required',
      'state applies to one pull request: send exactly one URL in urls',
    )
  return {
    urls: urls.map((url, i) => parsePullRequestUrl(`urls.${i}`, url)),
    at: parseMoment(ctx, at),
    ...(sha && { sha: sha.toLowerCase() }),
    ...(state && { state }),
    ...(check && { check }),
    ...(review && { review }),
    ...(branch?.trim() && { branch: branch.trim().slice(0, MAX_TITLE_LENGTH).toWellFormed() }),
    ...(preview_url && canonicalUrl(preview_url) && { preview_url }),
    ...(title?.trim() && { title: title.trim().slice(0, MAX_TITLE_LENGTH).toWellFormed() }),
  }
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** Limits the time to now. A time in the future would make all later events look outdated. */
function parseMoment({ now }: Context, at: string | undefined): number {
  if (at === undefined) return now.getTime()
  const time = MOMENT.test(at) ? Date.parse(at) : Number.NaN
  if (!Number.isNaN(time)) return Math.min(time, now.getTime())
  throw fault.invalid(
    'at',
    'invalid_format',
    'at must be an ISO 8601 date-time',
    at,
    'Write 2026-12-01T15:00:00Z',
  )
}

/** Returns the tasks of this board whose ticket keys are in the texts. Other keys are ignored. */
async function tasksWithKeys(ctx: Context, project: Project, { title, branch, body }: SyncInput) {
  const found = new Set<number>()
  for (const key of ticketKeysIn(title, branch, body)) {
    const task = await taskByTicket(ctx, project.team_id, key)
    if (task?.project_id === project.project_id && task.status !== 'Deleted')
      found.add(task.task_id)
  }
  return found
}

/** Returns the tasks of this board that have one of the pull requests, or one with that commit. */
async function tasksWithPullRequest(
  { tx }: Context,
  project: Project,
  { urls, sha, check, preview_url }: PullRequestEvent,
) {
  const conditions = [
    ...(urls.length ? [inArray(pullRequests.url, urls)] : []),
    ...((check || preview_url) && sha ? [eq(pullRequests.head_sha, sha)] : []),
  ]
  if (!conditions.length) return []
  const rows = await tx
    .selectDistinct({ task_id: pullRequests.task_id })
    .from(pullRequests)
    .innerJoin(tasks, eq(tasks.task_id, pullRequests.task_id))
    .where(
      and(
        eq(pullRequests.team_id, project.team_id),
        eq(tasks.project_id, project.project_id),
        or(...conditions),
      ),
    )
    .orderBy(pullRequests.task_id)
    .limit(MAX_TASKS)
  return rows.map(({ task_id }) => task_id)
}

type Outcome =
  | Awaited<ReturnType<typeof updatePullRequest>>
  | { row: PullRequest; changed: string[] }

async function applyEvent(
  ctx: Context,
  located: Located,
  event: PullRequestEvent,
  isNamed: boolean,
) {
  const { task } = located
  const { urls, sha, state, title = null, branch = null, at, check, preview_url } = event
  const existing = await pullRequestsOf(ctx.tx, task)
  const outcomes: Outcome[] = []
  for (const row of existing)
    if (urls.includes(row.url) || ((check || preview_url) && sha && row.head_sha === sha))
      outcomes.push(await applyToRow(ctx, task, row, event))
  const [url] = urls
  if (isNamed && state && url && !outcomes.length && existing.length < MAX_PULL_REQUESTS) {
    const known = { url, title, state, branch, head_sha: sha ?? null, told_at: at }
    const draft = { ...known, checks: 'none' as const }
    const row = await insertPullRequest(ctx, located, draft)
    outcomes.push({ row, changed: ['url', 'state'] })
  }
  if (outcomes.some(({ changed }) => changed.length)) await updateBadge(ctx, task)
  return outcomes
}

async function applyToRow(ctx: Context, task: Task, before: PullRequest, event: PullRequestEvent) {
  const outcome = await updatePullRequest(ctx, task, before, changesOf(before, event))
  const { check, at } = event
  const [checks, since] = (check && outcome.row.results[check.name]) ?? []
  // An event that is out of date has left no result.
  if (check && checks === check.checks && since === at)
    await recordCheck(ctx, task, outcome.row, check)
  return outcome
}

/** Returns the fields to change: the state if the event is newer, the checks of the last commit. */
const changesOf = (row: PullRequest, event: PullRequestEvent): Partial<PullRequest> => ({
  ...stateOrChecks(row, event),
  ...reviewOf(row, event),
  ...(event.preview_url && { preview_url: event.preview_url }),
})

function reviewOf(row: PullRequest, { review, at }: PullRequestEvent): Partial<PullRequest> {
  if (!review) return {}
  const reviews = addReview(row.reviews ?? {}, review.by, review.review, at)
  return { reviews, review: combineReviews(reviews) }
}

function stateOrChecks(
  row: PullRequest,
  { state, title, branch, sha, at, check }: PullRequestEvent,
): Partial<PullRequest> {
  if (state) {
    if (!isNewer(row, state, at)) return {}
    const hasNewCommit = sha !== undefined && sha !== row.head_sha && row.head_sha !== null
    return {
      state,
      told_at: at,
      ...(title && { title }),
      ...(branch && { branch }),
      ...(sha && { head_sha: sha }),
      ...(hasNewCommit && { results: {}, checks: 'none' as const }),
    }
  }
  // Without events of the pull request itself, the commit checked last counts as its head.
  const isCurrent = !sha || row.head_sha === sha || row.head_sha === null || row.told_at === 0
  if (!check || !isCurrent) return {}
  const previous = !sha || row.head_sha === sha || row.head_sha === null ? row.results : {}
  const results = addResult(previous, check.name, check.checks, at)
  return { results, checks: combineChecks(results), ...(sha && { head_sha: sha }) }
}
