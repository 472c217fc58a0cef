import { type Static, Type as t } from '@sinclair/typebox'
import { eq, getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { findProject, ProjectId, placeOf } from '../../../boards/projects/model/index.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { clientOf, HostError, hostById } from '../../hosts/model/index.ts'
import { countIssues, forgetIssue, issues } from '../../issues/model/index.ts'
import { fieldsOf } from '../model/records.ts'
import { options, RepositoryId, RepositoryRow } from '../model/schema.ts'
import {
  APP_WEBHOOK,
  findRepository,
  type Repository,
  repositoryById,
  updateRepository,
} from '../model/store.ts'
import { repositories } from '../model/tables.ts'

const ROUTE = '/api/v1/projects/:project_id/repositories'

export const list = operation({
  name: 'repositories.list',
  summary: 'Linked repositories of a board and the state of their synchronization',
  needs: 'projects:read',
  dependsOn: ['repository', 'issue', 'task', 'comment'],
  uncached: true,
  on: { rest: `GET ${ROUTE}`, cli: { usage: 'repositories list <project_id>', example: 'HOM' } },
  input: listInput({ project_id: ProjectId }, ['createdAt']),
  output: listOf(RepositoryRow),
  async run({ project_id, ...paging }, ctx) {
    await findProject(ctx, project_id)
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `repositories ${project_id}`,
      from: repositories,
      columns: getTableColumns(repositories),
      where: eq(repositories.project_id, project_id),
      sorts: { createdAt: { key: repositories.created_at } },
      id: 'repository_id',
    })
    const items: Static<typeof RepositoryRow>[] = []
    for (const row of rows as Repository[]) items.push(await toRow(ctx, row))
    return { items, page }
  },
})

const iso = (date: Date | null) => date?.toISOString() ?? null

async function toRow({ tx }: Pick<Context, 'tx'>, row: Repository) {
  const host = (await hostById(tx, row.host_id))!
  const { total, pending, failed } = await countIssues(tx, row.repository_id)
  const creator = (await actorsOf(tx, [row.created_by])).get(row.created_by)!
  return {
    ...fieldsOf(row, host),
    state: stateOf(row, pending),
    ...{ issue_count: total, pending_count: pending, failed_count: failed, error: row.error },
    retry_at: row.error === null ? null : iso(row.rest_until),
    synced_at: iso(row.synced_at),
    event_at: iso(row.event_at),
    created_by: asActor(creator),
    created_at: row.created_at.toISOString(),
  }
}

type State = Static<typeof RepositoryRow>['state']

function stateOf({ issues: isOn, error, listing_page }: Repository, pending: number): State {
  if (!isOn) return 'off'
  if (error !== null) return 'failing'
  if (listing_page !== null) return 'importing'
  return pending ? 'synchronizing' : 'up_to_date'
}

export const update = operation({
  name: 'repositories.update',
  summary: 'Change what is synchronized with a linked repository',
  needs: 'projects:manage',
  on: {
    rest: `PATCH ${ROUTE}/:repository_id`,
    cli: {
      usage: 'repositories update <project_id> <repository_id>',
      example: 'HOM 1 --label bug --no-pull-requests',
    },
  },
  input: t.Object({ project_id: ProjectId, repository_id: RepositoryId, ...options }),
  output: RepositoryRow,
  async run({ project_id, repository_id, ...input }, ctx) {
    const before = await findRepository(ctx, project_id, repository_id)
    const label = input.label === undefined ? before.label : input.label?.trim() || null
    const set = { ...input, label }
    const isWider = (set.issues ?? before.issues) && (!before.issues || label !== before.label)
    await updateRepository(ctx.tx, repository_id, {
      ...set,
      // Issues that were not synchronized before are listed again.
      ...(isWider && { listing_page: 1 }),
      ...{ wake_at: ctx.now, rest_until: null, failures: 0, error: null },
    })
    const after = (await repositoryById(ctx.tx, repository_id))!
    ctx.emit('repository.updated', placeOf(before), { repository_id, name: before.name })
    return toRow(ctx, after)
  },
})

export const unlink = operation({
  name: 'repositories.unlink',
  summary: 'Unlink a repository and delete its webhook; tasks and issues stay',
  needs: 'projects:manage',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}/:repository_id`,
    cli: { usage: 'repositories unlink <project_id> <repository_id>', example: 'HOM 1' },
  },
  input: t.Object({ project_id: ProjectId, repository_id: RepositoryId }),
  output: t.Object({
    repository_id: RepositoryId,
    name: t.String(),
    unlinked: t.Literal(true),
  }),
  async prepare({ project_id, repository_id }, { read, caller, server, warn }) {
    const found = await read(async (tx) => {
      await findProject({ tx, caller, needs: 'projects:manage' }, project_id)
      const row = await repositoryById(tx, repository_id)
      return row?.project_id === project_id ? { row, host: await hostById(tx, row.host_id) } : null
    })
    const webhook_id = found?.row.webhook_id ?? APP_WEBHOOK
    if (!found?.host || webhook_id === APP_WEBHOOK) return
    try {
      const client = await clientOf(server, found.host)
      await client.deleteWebhook(found.row.name, webhook_id)
    } catch (error) {
      if (!(error instanceof HostError)) throw error
      warn('repository_id', 'webhook_left', `Delete the webhook at the host: ${error.message}`)
    }
  },
  async run({ project_id, repository_id }, ctx) {
    const { name, ...row } = await findRepository(ctx, project_id, repository_id)
    const rows = await ctx.tx
      .select({ issue_id: issues.issue_id })
      .from(issues)
      .where(eq(issues.repository_id, repository_id))
    for (const issue of rows) await forgetIssue(ctx.tx, issue)
    await ctx.tx.delete(repositories).where(eq(repositories.repository_id, repository_id))
    ctx.emit('repository.unlinked', placeOf(row), { repository_id, name })
    return { repository_id, name, unlinked: true as const }
  },
})
