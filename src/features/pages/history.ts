import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import { fault } from '../../kernel/fault.ts'
import { listing, listOf } from '../../kernel/list.ts'
import { operation } from '../../kernel/operation.ts'
import { pageOf } from '../../store/page.ts'
import { matching } from '../../store/text.ts'
import { actorsOf, asActor } from '../people/index.ts'
import { restorePage } from './life.ts'
import { comparedIn } from './lines.ts'
import {
  address,
  Canvas,
  Difference,
  PageReceipt,
  span,
  VersionId,
  VersionNumber,
  VersionRow,
} from './schema.ts'
import { receiptOf } from './shown.ts'
import { findPage } from './store.ts'
import { pageVersions } from './tables.ts'
import { wholeOf } from './texts.ts'
import { asItWas, findVersion, textAt, type Version } from './versions.ts'

const ROUTE = '/api/v1/pages/:page_id'

const { back: _, whole: __, ...listed } = getTableColumns(pageVersions)

export const versions = operation({
  name: 'pages.versions',
  summary: 'The versions of a page, newest first: who made it so, when and why',
  needs: 'pages:read',
  on: {
    rest: [`GET ${ROUTE}/versions`, 'GET /api/mcp/pages/versions'],
    mcp: 'svc_pages.versions',
    cli: 'pages versions <page_id>',
    chat: true,
  },
  input: listing(address, ['createdAt']),
  output: listOf(VersionRow),
  async run({ page_id, id, ...paging }, ctx) {
    const { page: current } = await findPage(ctx, { page_id, id })
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `page versions ${current.page_id}`,
      from: pageVersions,
      columns: listed,
      where: and(
        eq(pageVersions.team_id, current.team_id),
        eq(pageVersions.page_id, current.page_id),
        matching(paging, [pageVersions.title, pageVersions.note]),
      ),
      sorts: { createdAt: { key: pageVersions.version } },
      id: 'version_id',
    })
    const authors = await actorsOf(
      ctx.tx,
      rows.map(({ author_id }) => author_id),
    )
    const items = rows.map((row) => ({
      ...shownVersion(row, authors),
      current: row.version === current.version,
      ...{ content_type: row.content_type, canvas: row.canvas, length: row.length },
      ...{ added: row.added, removed: row.removed },
    }))
    return { items, page }
  },
})

type Authors = Awaited<ReturnType<typeof actorsOf>>

const shownVersion = (row: Omit<Version, 'back' | 'whole'>, authors: Authors) => ({
  ...{ version_id: row.version_id, version: row.version, title: row.title },
  author: asActor(authors.get(row.author_id)!),
  ...{ note: row.note, created_at: row.created_at.toISOString() },
})

export const restore = operation({
  name: 'pages.restore',
  summary: 'Make an earlier text the page again; brings an archived page back',
  needs: 'pages:write',
  on: {
    rest: [`POST ${ROUTE}/restore`, 'POST /api/mcp/pages/restore'],
    mcp: 'svc_pages.restore',
    cli: 'pages restore <page_id> <version_id>',
    chat: true,
  },
  input: t.Object({ ...address, version_id: VersionId }),
  output: PageReceipt,
  async run({ version_id, ...named }, ctx) {
    const found = await findPage(ctx, named)
    const version = await findVersion(ctx, found.page, { version_id })
    const { page, changed } = await restorePage(ctx, found, version)
    return receiptOf(ctx, found.task, page, changed)
  },
})

export const diff = operation({
  name: 'pages.diff',
  summary: 'How two versions of a page differ, line by line',
  needs: 'pages:read',
  on: { rest: `GET ${ROUTE}/diff`, cli: 'pages diff <page_id> [from] [to]' },
  input: t.Object({ ...address, ...span }),
  output: Difference,
  async run({ from, to, ...named }, ctx) {
    const whole = await wholeOf(ctx.tx, (await findPage(ctx, named)).page.page_id)
    const { page } = whole
    const newer = await findVersion(ctx, page, { version: to ?? page.version }, 'to')
    const before = from ?? Math.max(1, newer.version - 1)
    const older = await findVersion(ctx, page, { version: before }, 'from')
    const authors = await actorsOf(ctx.tx, [older.author_id, newer.author_id])
    const ends = []
    for (const { version, title } of [older, newer])
      ends.push({ name: `${title} (${version})`, text: await textAt(ctx.tx, whole, version) })
    const { hunks, unified } = comparedIn(ctx, ends[0]!, ends[1]!)
    const shown = [older, newer].map((one) => shownVersion(one, authors))
    return { page_id: page.page_id, from: shown[0]!, to: shown[1]!, diff: unified, hunks }
  },
})

/** Only a sandbox may ever show it: it is what somebody sent, and nothing of it is safe. */
export const canvas = operation({
  name: 'pages.canvas',
  summary: 'The HTML document of a canvas, as it was sent',
  needs: 'pages:read',
  on: {
    rest: `GET ${ROUTE}/source`,
    mcp: 'svc_pages.source',
    cli: 'pages source <page_id>',
    chat: true,
  },
  input: t.Object({ ...address, version: t.Optional(VersionNumber) }),
  output: Canvas,
  async run({ version, ...named }, ctx) {
    const whole = await wholeOf(ctx.tx, (await findPage(ctx, named)).page.page_id)
    const { page, text } = version === undefined ? whole : await asItWas(ctx, whole, { version })
    const { page_id, title } = page
    if (!page.canvas)
      throw fault.notFound(
        'page_id',
        `Page ${page_id} is no canvas${version ? ` in version ${version}` : ''}`,
        page_id,
        'Read it as a page',
      )
    return { page_id, title, html: text }
  },
})
