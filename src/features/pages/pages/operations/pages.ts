import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, inArray, isNotNull, isNull, ne, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { findProject } from '../../../boards/projects/model/index.ts'
import { hasPages } from '../../../tasks/states/model/index.ts'
import {
  locateTask,
  onVisibleTask,
  address as taskAddress,
  tasks,
} from '../../../tasks/tasks/model/index.ts'
import { archivePage } from '../model/archive.ts'
import { changePage } from '../model/change.ts'
import { prepareContent } from '../model/contents.ts'
import { inFormat, receiptOf, toPageRecord, toPageRows } from '../model/records.ts'
import {
  ArchiveResult,
  AsFormat,
  address,
  draft,
  PageReceipt,
  PageRecord,
  PageRow,
  type Revision,
  revision,
  Status,
  VersionId,
} from '../model/schema.ts'
import { findLive, findPage, type Page } from '../model/store.ts'
import { pages } from '../model/tables.ts'
import { loadPageWithText } from '../model/texts.ts'
import { pageAtVersion } from '../model/versions.ts'
import { createPage } from '../model/write.ts'

const ROUTE = '/api/v1/pages/:page_id'

export const create = operation({
  name: 'pages.create',
  summary: 'Create a page on a task; the title defaults to the beginning of its text',
  needs: 'pages:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/tasks/:task/pages',
    mcp: ['svc_pages.create', 'create_page'],
    cli: {
      usage: 'pages create --task <task>',
      example: "--task HOM-1 --title Colours --content 'Two coats, *outside* first.'",
    },
    chat: true,
  },
  input: t.Object({ ...taskAddress, ...draft }),
  output: PageReceipt,
  prepare: ({ content, content_type, canvas }, request) =>
    prepareContent(request, {
      content,
      ...(content_type && { content_type }),
      ...(canvas && { canvas }),
    }),
  async run(input, ctx, { content }) {
    const { task_id, ticket_number, unique_index, project_id, ...fields } = input
    const located = await locateTask(ctx, { task_id, ticket_number, unique_index, project_id })
    const page = await createPage(ctx, located, fields, content!)
    return receiptOf(ctx, located.task, page, [])
  },
})

export const get = operation({
  name: 'pages.get',
  summary: 'A page with its text; version or version_id returns an older version',
  needs: 'pages:read',
  dependsOn: [{ about: 'page' }, { about: 'task', changes: ['task'] }],
  on: {
    rest: [`GET ${ROUTE}`, `GET ${ROUTE}/versions/:version_id`],
    mcp: ['svc_pages.get', 'get_page'],
    cli: { usage: 'pages get <page_id>', example: '1' },
    chat: true,
  },
  input: t.Object({
    ...address,
    format: AsFormat,
    version: t.Optional(t.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    version_id: t.Optional(VersionId),
  }),
  output: PageRecord,
  async run({ format = 'markdown', version, version_id, ...pageRef }, ctx) {
    const current = await loadPageWithText(ctx.tx, (await findPage(ctx, pageRef)).page.page_id)
    const { version: newest } = current.page
    const isNewest = version_id === undefined && (version ?? newest) === newest
    const { page, text } = isNewest
      ? current
      : await pageAtVersion(ctx, current, { version, version_id })
    const content = inFormat(ctx, page, text, format)
    return toPageRecord(ctx, page, content, page.version === newest)
  },
})

export const update = operation({
  name: 'pages.update',
  summary: 'Replace, append to or prepend to the text of a page; rename or nest it',
  needs: 'pages:write',
  on: {
    rest: `PATCH ${ROUTE}`,
    mcp: ['svc_pages.update', 'update_page'],
    cli: {
      usage: 'pages update <page_id>',
      example: "1 --content '# Colours' --if-version 2 --note 'Shorter'",
    },
    chat: true,
  },
  input: t.Object({ ...address, ...revision }),
  output: PageReceipt,
  async prepare(input, request) {
    checkRequiresContent(input)
    return prepareContent(request, input)
  },
  async run({ page_id, id, ...change }, ctx, prepared) {
    const found = await findLive(ctx, { page_id, id })
    const { page, changed } = await changePage(ctx, found, change, prepared)
    return receiptOf(ctx, found.task, page, changed)
  },
})

/** Refuses fields that have no meaning without the fields they describe. */
function checkRequiresContent({
  content,
  content_type,
  canvas,
  mode,
  note,
  title,
}: Revision): void {
  if (content !== undefined) return
  for (const [field, value] of Object.entries({ mode, canvas }))
    if (value !== undefined) throw fault.invalid('content', 'required', `${field} requires content`)
  if (note !== undefined && title === undefined && content_type === undefined)
    throw fault.invalid(
      'note',
      'conflict',
      'note requires a change that creates a new version',
      note,
      'Also send content, content_type or title',
    )
}

export const list = operation({
  name: 'pages.list',
  summary: 'Pages of a task, of a board, or all you can see, without their text',
  needs: 'pages:read',
  dependsOn: [{ about: 'task', changes: ['page'] }],
  on: {
    rest: ['GET /api/v1/pages', 'GET /api/v1/tasks/:task/pages'],
    mcp: ['svc_pages.list', 'list_pages'],
    cli: { usage: 'pages list --task [task]', example: '--task HOM-1' },
    chat: true,
  },
  input: listInput({ ...taskAddress, status: t.Optional(Status) }, [
    'updatedAt',
    'createdAt',
    'title',
  ]),
  output: listOf(PageRow),
  async run({ task_id, ticket_number, unique_index, project_id, status, ...paging }, ctx) {
    const isArchived = status === 'Archive'
    if (isArchived && !ctx.caller.scopes.has('pages:write')) throw missingScope('pages:write')
    const isTask = [task_id, ticket_number, unique_index].some((value) => value !== undefined)
    const taskRef = { task_id, ticket_number, unique_index, project_id }
    const where = isTask
      ? await taskFilter(ctx, taskRef)
      : project_id === undefined
        ? visibleFilter(ctx)
        : await boardFilter(ctx, project_id)
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `pages ${JSON.stringify(taskRef)} ${isArchived}`,
      from: pages,
      columns: getTableColumns(pages),
      where: and(
        where,
        (isArchived ? isNotNull : isNull)(pages.archived_at),
        matchesSearch(paging, [pages.title]),
      ),
      sorts: {
        updatedAt: { key: pages.updated_at },
        createdAt: { key: pages.created_at },
        title: { key: pages.title },
      },
      id: 'page_id',
    })
    return { items: await toPageRows(ctx, rows as Page[]), page }
  },
})

async function taskFilter(ctx: Context, taskRef: Parameters<typeof locateTask>[1]) {
  const { team_id, task_id } = (await locateTask(ctx, taskRef)).task
  return and(eq(pages.team_id, team_id), eq(pages.task_id, task_id))
}

async function boardFilter(ctx: Context, board: number): Promise<SQL | undefined> {
  const { team_id, project_id } = await findProject(ctx, board)
  const taskIds = ctx.tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(
      and(
        eq(tasks.team_id, team_id),
        eq(tasks.project_id, project_id),
        hasPages(tasks),
        ne(tasks.status, 'Deleted'),
      ),
    )
  return and(eq(pages.team_id, team_id), inArray(pages.task_id, taskIds))
}

function visibleFilter(ctx: Context): SQL | undefined {
  const [team_id, ...others] = ctx.caller.teams.keys()
  const ofTeams = others.length
    ? inArray(pages.team_id, [team_id!, ...others])
    : eq(pages.team_id, team_id ?? 0)
  return and(ofTeams, onVisibleTask(ctx, pages.task_id, ne(tasks.status, 'Deleted')))
}

export const archive = operation({
  name: 'pages.archive',
  summary: 'Archive a page and its nested pages; use restore to bring it back',
  needs: 'pages:write',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}`,
    mcp: 'svc_pages.archive',
    cli: { usage: 'pages archive <page_id>', example: '1' },
    chat: true,
  },
  input: t.Object(address),
  output: ArchiveResult,
  async run(input, ctx) {
    const found = await findPage(ctx, input)
    const archived = await archivePage(ctx, found)
    const { page_id, title, archived_at } = archived[0] ?? found.page
    return { page_id, title, archived_at: archived_at!.toISOString(), archived: archived.length }
  },
})
