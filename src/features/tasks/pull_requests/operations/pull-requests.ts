import { Type as t } from '@sinclair/typebox'
import { and, getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { cleanName } from '../../../boards/projects/model/index.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { address, type Located, locateTask } from '../../tasks/model/index.ts'
import {
  Checks,
  PullRequestId,
  PullRequestReceipt,
  PullRequestRow,
  State,
  Title,
  Url,
} from '../model/schema.ts'
import {
  deletePullRequest,
  insertPullRequest,
  MAX_PULL_REQUESTS,
  ofTask,
  type PullRequest,
  parsePullRequestUrl,
  pullRequestsOf,
  updateBadge,
  updatePullRequest,
} from '../model/store.ts'
import { pullRequests } from '../model/tables.ts'

const ROUTE = '/api/v1/tasks/:task/pull-requests'

export const list = operation({
  name: 'pull_requests.list',
  summary: 'Pull requests of a task',
  needs: 'tasks:read',
  dependsOn: [{ about: 'task', changes: ['pull_request'] }],
  on: { rest: `GET ${ROUTE}`, cli: { usage: 'pulls list <task>', example: 'HOM-1' } },
  input: listInput(address, ['createdAt', 'updatedAt']),
  output: listOf(PullRequestRow),
  async run({ task_id, ticket_number, unique_index, project_id, ...paging }, ctx) {
    const taskRef = { task_id, ticket_number, unique_index, project_id }
    const { task } = await locateTask(ctx, taskRef)
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `pull_requests ${task.task_id}`,
      from: pullRequests,
      columns: getTableColumns(pullRequests),
      where: and(ofTask(task), matchesSearch(paging, [pullRequests.title, pullRequests.url])),
      sorts: {
        createdAt: { key: pullRequests.created_at },
        updatedAt: { key: pullRequests.updated_at },
      },
      id: 'pull_request_id',
    })
    const creators = await actorsOf(
      ctx.tx,
      rows.map(({ created_by }) => created_by),
    )
    const items = rows.map((row) => ({
      ...fieldsOf(row as PullRequest),
      created_by: asActor(creators.get(row.created_by)!),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }))
    return { items, page }
  },
})

export const create = operation({
  name: 'pull_requests.create',
  summary: 'Link a pull request to a task, or update a linked one',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: `POST ${ROUTE}`,
    cli: {
      usage: 'pulls add <task> <url>',
      example: 'HOM-1 https://github.com/acme/site/pull/12 --checks passing',
    },
  },
  input: t.Object({
    ...address,
    url: Url,
    title: t.Optional(t.Union([Title, t.Null()])),
    state: t.Optional(State),
    checks: t.Optional(Checks),
  }),
  output: PullRequestReceipt,
  async run({ url: input, title, state, checks, ...taskRef }, ctx) {
    const url = parsePullRequestUrl('url', input)
    const located = await locateTask(ctx, taskRef)
    const existing = await pullRequestsOf(ctx.tx, located.task)
    const previous = existing.find((row) => row.url === url)
    const set = { title: title && cleanName('title', title), state, checks }
    if (previous) {
      const { row, changed } = await updatePullRequest(ctx, located.task, previous, set)
      return toReceipt(ctx, located, row, { created: false, changed })
    }
    if (existing.length >= MAX_PULL_REQUESTS)
      throw fault.conflict(
        `A task has at most ${MAX_PULL_REQUESTS} pull requests`,
        { field: 'url', limit: MAX_PULL_REQUESTS },
        'Remove one first',
      )
    const row = await insertPullRequest(ctx, located, {
      url,
      title: set.title ?? null,
      state: state ?? 'open',
      checks: checks ?? 'none',
    })
    const changed = ['url', ...Object.entries(set).flatMap(([name, value]) => (value ? name : []))]
    return toReceipt(ctx, located, row, { created: true, changed })
  },
})

async function toReceipt(
  ctx: Context,
  { task }: Located,
  row: PullRequest,
  outcome: { created: boolean; changed: string[] },
) {
  const { task_id, ticket_number } = task
  const pr_badge = await updateBadge(ctx, task)
  return { ...fieldsOf(row), task_id, ticket_number, ...outcome, pr_badge }
}

export const remove = operation({
  name: 'pull_requests.delete',
  summary: 'Remove a pull request from a task',
  needs: 'tasks:write',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}/:pull_request_id`,
    cli: { usage: 'pulls remove <task> <pull_request_id>', example: 'HOM-1 1' },
  },
  input: t.Object({ ...address, pull_request_id: PullRequestId }),
  output: t.Object({
    pull_request_id: PullRequestId,
    ticket_number: t.String(),
    deleted: t.Literal(true),
    pr_badge: PullRequestReceipt.properties.pr_badge,
  }),
  async run({ pull_request_id, ...taskRef }, ctx) {
    const { task } = await locateTask(ctx, taskRef)
    const existing = await pullRequestsOf(ctx.tx, task)
    const row = existing.find((candidate) => candidate.pull_request_id === pull_request_id)
    if (!row)
      throw fault.notFound(
        'pull_request_id',
        `${task.ticket_number} has no pull request ${pull_request_id}`,
        pull_request_id,
        'List its pull requests: GET /api/v1/tasks/{task}/pull-requests',
      )
    await deletePullRequest(ctx, task, row)
    const pr_badge = await updateBadge(ctx, task)
    return { pull_request_id, ticket_number: task.ticket_number, deleted: true as const, pr_badge }
  },
})

const fieldsOf = (row: PullRequest) => {
  const { pull_request_id, url, title, state, checks, review, branch, preview_url } = row
  return { pull_request_id, url, title, state, checks, review, branch, preview_url }
}
