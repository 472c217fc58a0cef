import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { restorePage } from '../model/archive.ts'
import { compareTexts } from '../model/lines.ts'
import { receiptOf } from '../model/records.ts'
import {
  address,
  Canvas,
  Difference,
  PageReceipt,
  VersionId,
  VersionNumber,
  VersionRow,
  versionRange,
} from '../model/schema.ts'
import { findPage } from '../model/store.ts'
import { pageVersions } from '../model/tables.ts'
import { loadPageWithText } from '../model/texts.ts'
import { findVersion, pageAtVersion, textAt, type Version } from '../model/versions.ts'

const ROUTE = '/api/v1/pages/:page_id'

const { back: _, whole: __, ...versionColumns } = getTableColumns(pageVersions)

export const versions = operation({
  name: 'pages.versions',
  summary: 'Versions of a page, newest first: author, time and note',
  needs: 'pages:read',
  dependsOn: [{ about: 'page' }],
  on: {
    rest: [`GET ${ROUTE}/versions`, 'GET /api/mcp/pages/versions'],
    mcp: 'svc_pages.versions',
    cli: { usage: 'pages versions <page_id>', example: '1' },
    chat: true,
  },
  input: listInput(address, ['createdAt']),
  output: listOf(VersionRow),
  async run({ page_id, id, ...paging }, ctx) {
    const { page: current } = await findPage(ctx, { page_id, id })
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `page versions ${current.page_id}`,
      from: pageVersions,
      columns: versionColumns,
      where: and(
        eq(pageVersions.team_id, current.team_id),
        eq(pageVersions.page_id, current.page_id),
        matchesSearch(paging, [pageVersions.title, pageVersions.note]),
      ),
      sorts: { createdAt: { key: pageVersions.version } },
      id: 'version_id',
    })
    const authors = await actorsOf(
      ctx.tx,
      rows.map(({ author_id }) => author_id),
    )
    const items = rows.map((row) => ({
      ...toVersion(row, authors),
      current: row.version === current.version,
      content_type: row.content_type,
      canvas: row.canvas,
      length: row.length,
      added: row.added,
      removed: row.removed,
    }))
    return { items, page }
  },
})

type Authors = Awaited<ReturnType<typeof actorsOf>>

const toVersion = (row: Omit<Version, 'back' | 'whole'>, authors: Authors) => ({
  version_id: row.version_id,
  version: row.version,
  title: row.title,
  author: asActor(authors.get(row.author_id)!),
  note: row.note,
  created_at: row.created_at.toISOString(),
})

export const restore = operation({
  name: 'pages.restore',
  summary: 'Restore an earlier version of a page; also restores an archived page',
  needs: 'pages:write',
  on: {
    rest: [`POST ${ROUTE}/restore`, 'POST /api/mcp/pages/restore'],
    mcp: 'svc_pages.restore',
    cli: { usage: 'pages restore <page_id> <version_id>', example: '1 1' },
    chat: true,
  },
  input: t.Object({ ...address, version_id: VersionId }),
  output: PageReceipt,
  async run({ version_id, ...pageRef }, ctx) {
    const found = await findPage(ctx, pageRef)
    const version = await findVersion(ctx, found.page, { version_id })
    const { page, changed } = await restorePage(ctx, found, version)
    return receiptOf(ctx, found.task, page, changed)
  },
})

export const diff = operation({
  name: 'pages.diff',
  summary: 'Compare two versions of a page, line by line',
  needs: 'pages:read',
  dependsOn: [{ about: 'page' }],
  on: {
    rest: `GET ${ROUTE}/diff`,
    cli: { usage: 'pages diff <page_id> [from] [to]', example: '1 1 2' },
  },
  input: t.Object({ ...address, ...versionRange }),
  output: Difference,
  async run({ from, to, ...pageRef }, ctx) {
    const current = await loadPageWithText(ctx.tx, (await findPage(ctx, pageRef)).page.page_id)
    const { page } = current
    const newer = await findVersion(ctx, page, { version: to ?? page.version }, 'to')
    const olderNumber = from ?? Math.max(1, newer.version - 1)
    const older = await findVersion(ctx, page, { version: olderNumber }, 'from')
    const authors = await actorsOf(ctx.tx, [older.author_id, newer.author_id])
    const texts = []
    for (const { version, title } of [older, newer])
      texts.push({ name: `${title} (${version})`, text: await textAt(ctx.tx, current, version) })
    const { hunks, unified } = compareTexts(ctx, texts[0]!, texts[1]!)
    const infos = [older, newer].map((version) => toVersion(version, authors))
    return { page_id: page.page_id, from: infos[0]!, to: infos[1]!, diff: unified, hunks }
  },
})

/** Returns the HTML as it was sent, with its scripts. Only a sandbox may show it. */
export const canvas = operation({
  name: 'pages.canvas',
  summary: 'Original HTML document of a canvas',
  needs: 'pages:read',
  dependsOn: [{ about: 'page' }],
  on: {
    rest: `GET ${ROUTE}/source`,
    mcp: 'svc_pages.source',
    cli: { usage: 'pages source <page_id>', example: '2' },
    chat: true,
  },
  input: t.Object({ ...address, version: t.Optional(VersionNumber) }),
  output: Canvas,
  async run({ version, ...pageRef }, ctx) {
    const current = await loadPageWithText(ctx.tx, (await findPage(ctx, pageRef)).page.page_id)
    const { page, text } =
      version === undefined ? current : await pageAtVersion(ctx, current, { version })
    const { page_id, title } = page
    if (!page.canvas)
      throw fault.notFound(
        'page_id',
        `Page ${page_id} is not a canvas${version ? ` in version ${version}` : ''}`,
        page_id,
        'Read its text: svc_pages get',
      )
    return { page_id, title, html: text }
  },
})
