import { Type as t } from '@sinclair/typebox'
import { and, getTableColumns } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { listing, listOf } from '../../kernel/list.ts'
import { operation } from '../../kernel/operation.ts'
import { pageOf } from '../../store/page.ts'
import { matching } from '../../store/text.ts'
import { actorsOf, asActor } from '../people/index.ts'
import { nameOf } from '../projects/index.ts'
import { address, type Located, locateTask } from '../tasks/index.ts'
import {
  Checks,
  PullRequestId,
  PullRequestReceipt,
  PullRequestRow,
  State,
  Title,
  Url,
} from './schema.ts'
import {
  add,
  badge,
  drop,
  MOST_PULL_REQUESTS,
  ofTask,
  type PullRequest,
  pullRequestsOf,
  revise,
  urlIn,
} from './store.ts'
import { pullRequests } from './tables.ts'

const PLACE = '/api/v1/tasks/:task/pull-requests'

export const list = operation({
  name: 'pull_requests.list',
  summary: 'Pull requests of a task',
  needs: 'tasks:read',
  on: { rest: `GET ${PLACE}`, cli: 'pulls list <task>' },
  input: listing(address, ['createdAt', 'updatedAt']),
  output: listOf(PullRequestRow),
  async run({ task_id, ticket_number, unique_index, project_id, ...paging }, ctx) {
    const named = { task_id, ticket_number, unique_index, project_id }
    const { task } = await locateTask(ctx, named)
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `pull_requests ${task.task_id}`,
      from: pullRequests,
      columns: getTableColumns(pullRequests),
      where: and(ofTask(task), matching(paging, [pullRequests.title, pullRequests.url])),
      sorts: {
        createdAt: { key: pullRequests.created_at },
        updatedAt: { key: pullRequests.updated_at },
      },
      id: 'pull_request_id',
    })
    const makers = await actorsOf(
      ctx.tx,
      rows.map(({ created_by }) => created_by),
    )
    const items = rows.map((row) => ({
      ...fieldsOf(row as PullRequest),
      created_by: asActor(makers.get(row.created_by)!),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }))
    return { items, page }
  },
})

export const create = operation({
  name: 'pull_requests.create',
  summary: 'Link a pull request to a task, or say what became of one that is linked',
  needs: 'tasks:write',
  on: { rest: `POST ${PLACE}`, cli: 'pulls add <task> <url>' },
  input: t.Object({
    ...address,
    url: Url,
    title: t.Optional(t.Union([Title, t.Null()])),
    state: t.Optional(State),
    checks: t.Optional(Checks),
  }),
  output: PullRequestReceipt,
  async run({ url: given, title, state, checks, ...named }, ctx) {
    const url = urlIn('url', given)
    const located = await locateTask(ctx, named)
    const known = await pullRequestsOf(ctx.tx, located.task)
    const before = known.find((one) => one.url === url)
    const set = { title: title && nameOf('title', title), state, checks }
    if (before) {
      const { row, changed } = await revise(ctx, located.task, before, set)
      return receipt(ctx, located, row, { created: false, changed })
    }
    if (known.length >= MOST_PULL_REQUESTS)
      throw fault.conflict(
        `A task has at most ${MOST_PULL_REQUESTS} pull requests`,
        { field: 'url', limit: MOST_PULL_REQUESTS },
        'Remove one that no longer matters',
      )
    const row = await add(ctx, located, {
      url,
      title: set.title ?? null,
      state: state ?? 'open',
      checks: checks ?? 'none',
    })
    const changed = ['url', ...Object.entries(set).flatMap(([name, value]) => (value ? name : []))]
    return receipt(ctx, located, row, { created: true, changed })
  },
})

async function receipt(
  ctx: Context,
  { task }: Located,
  row: PullRequest,
  what: { created: boolean; changed: string[] },
) {
  const { task_id, ticket_number } = task
  const pr_badge = await badge(ctx, task)
  return { ...fieldsOf(row), task_id, ticket_number, ...what, pr_badge }
}

export const remove = operation({
  name: 'pull_requests.delete',
  summary: 'Take a pull request off a task',
  needs: 'tasks:write',
  destroys: true,
  on: { rest: `DELETE ${PLACE}/:pull_request_id`, cli: 'pulls remove <task> <pull_request_id>' },
  input: t.Object({ ...address, pull_request_id: PullRequestId }),
  output: t.Object({
    pull_request_id: PullRequestId,
    ticket_number: t.String(),
    deleted: t.Literal(true),
    pr_badge: PullRequestReceipt.properties.pr_badge,
  }),
  async run({ pull_request_id, ...named }, ctx) {
    const { task } = await locateTask(ctx, named)
    const known = await pullRequestsOf(ctx.tx, task)
    const row = known.find((one) => one.pull_request_id === pull_request_id)
    if (!row)
      throw fault.notFound(
        'pull_request_id',
        `${task.ticket_number} has no pull request ${pull_request_id}`,
        pull_request_id,
        'List those that it has: GET /api/v1/tasks/{task}/pull-requests',
      )
    await drop(ctx, task, row)
    const pr_badge = await badge(ctx, task)
    return { pull_request_id, ticket_number: task.ticket_number, deleted: true as const, pr_badge }
  },
})

const fieldsOf = ({ pull_request_id, url, title, state, checks }: PullRequest) => ({
  ...{ pull_request_id, url, title, state, checks },
})
