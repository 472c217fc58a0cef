import { Type as t } from '@sinclair/typebox'
import { and, eq, inArray, or } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import { findProject, type Project, ProjectId } from '../projects/index.ts'
import { type Located, locateTask, tasks, ticketOf } from '../tasks/index.ts'
import { type Checks, isNews, keysIn, type State, together, withResult } from './rules.ts'
import { MOST_TITLE, type News, news, Told } from './schema.ts'
import {
  add,
  badge,
  MOST_PULL_REQUESTS,
  type PullRequest,
  pullRequestsOf,
  revise,
  urlIn,
} from './store.ts'
import { pullRequests } from './tables.ts'

/** What a host said, made ready to be compared with what is known. */
interface Heard {
  urls: string[]
  sha?: string
  at: number
  state?: State
  title?: string
  check?: { name: string; checks: Checks }
}

const MOST_TASKS = 50

export const sync = operation({
  name: 'pull_requests.sync',
  summary: 'Tell a board what became of a pull request; ticket keys in it link tasks',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/projects/:project_id/pull-requests/sync',
    cli: 'pulls sync <project_id>',
  },
  input: t.Object({ project_id: ProjectId, ...news }),
  output: Told,
  async run({ project_id, ...given }, ctx) {
    const project = await findProject(ctx, project_id)
    const heard = heardOf(ctx, given)
    const named = heard.state ? await tasksNamed(ctx, project, given) : new Set<number>()
    const known = await tasksLinked(ctx, project, heard)
    const linked = []
    // Always in the same order, so that two writers do not wait for each other.
    for (const task_id of [...new Set([...named, ...known])].sort((a, b) => a - b)) {
      const located = await locateTask(ctx, { task_id })
      if (located.project.project_id !== project_id) continue
      for (const { row, changed } of await hear(ctx, located, heard, named.has(task_id))) {
        const { pull_request_id, state, checks } = row
        const { ticket_number } = located.task
        linked.push({ ticket_number, pull_request_id, state, checks, changed })
      }
    }
    return { linked }
  },
})

function heardOf(ctx: Context, { urls = [], at, title, ...given }: News): Heard {
  const { state, check, sha } = given
  if (state && urls.length !== 1)
    throw fault.invalid(
      'urls',
      urls.length ? 'conflict' : 'required',
      'state is told of one pull request: name its address in urls',
    )
  return {
    urls: urls.map((url, i) => urlIn(`urls.${i}`, url)),
    at: momentIn(ctx, at),
    ...(sha && { sha: sha.toLowerCase() }),
    ...(state && { state }),
    ...(check && { check }),
    ...(title?.trim() && { title: title.trim().slice(0, MOST_TITLE).toWellFormed() }),
  }
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** Nothing happened later than now: news from a fast clock would outlast all that follows. */
function momentIn({ now }: Context, at: string | undefined): number {
  if (at === undefined) return now.getTime()
  const time = MOMENT.test(at) ? Date.parse(at) : Number.NaN
  if (!Number.isNaN(time)) return Math.min(time, now.getTime())
  throw fault.invalid(
    'at',
    'invalid_format',
    'at is not a moment in ISO 8601',
    at,
    'Write 2026-12-01T15:00:00Z',
  )
}

/** Tasks of this board whose keys stand in its texts. Keys of other boards mean nothing here. */
async function tasksNamed(ctx: Context, project: Project, { title, branch, body }: News) {
  const found = new Set<number>()
  for (const key of keysIn(title, branch, body)) {
    const task = await ticketOf(ctx, project.team_id, key)
    if (task?.project_id === project.project_id && task.status !== 'Deleted')
      found.add(task.task_id)
  }
  return found
}

/** Tasks of this board that have one of the pull requests, or one of that commit. */
async function tasksLinked({ tx }: Context, project: Project, { urls, sha, check }: Heard) {
  const about = [
    ...(urls.length ? [inArray(pullRequests.url, urls)] : []),
    ...(check && sha ? [eq(pullRequests.head_sha, sha)] : []),
  ]
  if (!about.length) return []
  const rows = await tx
    .selectDistinct({ task_id: pullRequests.task_id })
    .from(pullRequests)
    .innerJoin(tasks, eq(tasks.task_id, pullRequests.task_id))
    .where(
      and(
        eq(pullRequests.team_id, project.team_id),
        eq(tasks.project_id, project.project_id),
        or(...about),
      ),
    )
    .orderBy(pullRequests.task_id)
    .limit(MOST_TASKS)
  return rows.map(({ task_id }) => task_id)
}

type Outcome = Awaited<ReturnType<typeof revise>> | { row: PullRequest; changed: string[] }

async function hear(ctx: Context, located: Located, heard: Heard, named: boolean) {
  const { task } = located
  const { urls, sha, state, title = null, at, check } = heard
  const known = await pullRequestsOf(ctx.tx, task)
  const outcomes: Outcome[] = []
  for (const row of known)
    if (urls.includes(row.url) || (check && sha && row.head_sha === sha))
      outcomes.push(await revise(ctx, task, row, changesOf(row, heard)))
  const [url] = urls
  if (named && state && url && !outcomes.length && known.length < MOST_PULL_REQUESTS) {
    const draft = { url, title, state, checks: 'none' as const, head_sha: sha ?? null, told_at: at }
    const row = await add(ctx, located, draft)
    outcomes.push({ row, changed: ['url', 'state'] })
  }
  if (outcomes.some(({ changed }) => changed.length)) await badge(ctx, task)
  return outcomes
}

/** What is new of it: the state by when it was told, the checks by those of its last commit. */
function changesOf(row: PullRequest, { state, title, sha, at, check }: Heard) {
  if (state) {
    if (!isNews(row, state, at)) return {}
    const moved = sha !== undefined && sha !== row.head_sha && row.head_sha !== null
    return {
      ...{ state, told_at: at, ...(title && { title }), ...(sha && { head_sha: sha }) },
      ...(moved && { results: {}, checks: 'none' as const }),
    }
  }
  // Where nobody tells of the pull request itself, its last commit is the one last checked.
  const isCurrent = !sha || row.head_sha === sha || row.head_sha === null || row.told_at === 0
  if (!check || !isCurrent) return {}
  const before = !sha || row.head_sha === sha || row.head_sha === null ? row.results : {}
  const results = withResult(before, check.name, check.checks, at)
  return { results, checks: together(results), ...(sha && { head_sha: sha }) }
}
