import { Type as t } from '@sinclair/typebox'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import {
  cleanName,
  findProject,
  lockProject,
  ProjectId,
  placeOf,
  touchProject,
} from '../../../boards/projects/model/index.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { slugify } from '../model/rules.ts'
import {
  Body,
  Description,
  ReportId,
  ReportReceipt,
  ReportRecord,
  ReportRow,
  Slug,
  Title,
} from '../model/schema.ts'
import {
  listColumns,
  locateReport,
  onBoard,
  type Report,
  requireFreeSlug,
  toReportRow,
  uniqueSlug,
  viewUrl,
} from '../model/store.ts'
import { reports } from '../model/tables.ts'

const COLLECTION_ROUTE = '/api/v1/projects/:project_id/reports'
const ROUTE = '/api/v1/reports/:report_id'

export const list = operation({
  name: 'reports.list',
  summary: 'Saved reports of a board, without their bodies',
  needs: 'projects:read',
  dependsOn: ['report'],
  on: {
    rest: `GET ${COLLECTION_ROUTE}`,
    mcp: 'svc_reports.list',
    cli: { usage: 'reports list <project_id>', example: 'HOM' },
    chat: true,
  },
  input: listInput({ project_id: ProjectId }, ['updatedAt', 'createdAt', 'title']),
  output: listOf(ReportRow),
  async run(input, ctx) {
    const project = await findProject(ctx, input.project_id)
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'reports',
      from: reports,
      columns: listColumns,
      where: and(onBoard(project), matchesSearch(input, [reports.title, reports.description])),
      sorts: {
        updatedAt: { key: reports.updated_at },
        createdAt: { key: reports.created_at },
        title: { key: reports.title },
      },
      id: 'report_id',
    })
    const creators = await actorsOf(
      ctx.tx,
      rows.map(({ created_by }) => created_by),
    )
    const items = rows.map((row) => toReportRow(ctx, row, asActor(creators.get(row.created_by)!)))
    return { items, page }
  },
})

const address = {
  report_id: t.Optional(ReportId),
  project_id: t.Optional(ProjectId),
  slug: t.Optional(Slug),
}

export const get = operation({
  name: 'reports.get',
  summary: 'A saved report with its HTML; by report_id, or by slug with project_id',
  needs: 'projects:read',
  dependsOn: ['report'],
  on: {
    rest: [`GET ${ROUTE}`, `GET ${COLLECTION_ROUTE}/:slug`],
    mcp: 'svc_reports.get',
    cli: { usage: 'reports get <report_id>', example: '1' },
    chat: true,
  },
  input: t.Object(address),
  output: ReportRecord,
  async run(input, ctx) {
    const { report } = await locateReport(ctx, input)
    const creator = (await actorsOf(ctx.tx, [report.created_by])).get(report.created_by)!
    return { ...toReportRow(ctx, report, asActor(creator)), body_html: report.body_html }
  },
})

const textFields = { description: t.Optional(Description), body_html: t.Optional(Body) }

export const create = operation({
  name: 'reports.create',
  summary: 'Create a report on a board; slug defaults to one derived from the title',
  needs: 'projects:write',
  creates: true,
  on: {
    rest: `POST ${COLLECTION_ROUTE}`,
    mcp: 'svc_reports.create',
    cli: {
      usage: 'reports create <project_id> <title>',
      example: "HOM 'Weekly status' --body-html '<p>All is well.</p>'",
    },
    chat: true,
  },
  input: t.Object({ project_id: ProjectId, title: Title, slug: t.Optional(Slug), ...textFields }),
  output: ReportReceipt,
  async run({ project_id, ...draft }, ctx) {
    const { tx, now, caller } = ctx
    const project = await findProject(ctx, project_id)
    await touchProject(tx, project, now)
    const title = cleanName('title', draft.title)
    if (draft.slug !== undefined) await requireFreeSlug(tx, project, draft.slug)
    const [report] = await tx
      .insert(reports)
      .values({
        team_id: project.team_id,
        project_id,
        title,
        slug: draft.slug ?? (await uniqueSlug(tx, project, slugify(title))),
        description: draft.description || null,
        body_html: draft.body_html || null,
        created_by: caller.actor_id,
        created_at: now,
        updated_at: now,
      })
      .returning()
    const { report_id, slug } = report!
    ctx.emit('report.created', placeOf(project), { report_id, title, slug })
    return toReceipt(ctx, report!, Object.keys(draft))
  },
})

export const update = operation({
  name: 'reports.update',
  summary: 'Change a saved report; null clears description or body_html',
  needs: 'projects:write',
  on: {
    rest: `PATCH ${ROUTE}`,
    mcp: 'svc_reports.update',
    cli: { usage: 'reports update <report_id>', example: "1 --title 'Monthly status'" },
    chat: true,
  },
  input: t.Object({
    ...address,
    slug: t.Optional({ ...Slug, description: 'New slug; without report_id, the current slug' }),
    title: t.Optional(Title),
    ...textFields,
  }),
  output: ReportReceipt,
  async run({ report_id, project_id, slug, ...input }, ctx) {
    const { tx, now } = ctx
    const located = await locateReport(ctx, { report_id, project_id, slug })
    await lockProject(tx, located.project)
    // Read again: the report may have changed while this request waited for the lock of the board.
    const { report, project } = await locateReport(ctx, { report_id: located.report.report_id })
    const next = {
      title: input.title === undefined ? report.title : cleanName('title', input.title),
      slug: report_id === undefined ? report.slug : (slug ?? report.slug),
      description: input.description === undefined ? report.description : input.description || null,
      body_html: input.body_html === undefined ? report.body_html : input.body_html || null,
    }
    const changed = (Object.keys(next) as (keyof typeof next)[]).filter(
      (name) => next[name] !== report[name],
    )
    if (!changed.length) return toReceipt(ctx, report, [])
    if (next.slug !== report.slug) await requireFreeSlug(tx, project, next.slug)
    const [saved] = await tx
      .update(reports)
      .set({ ...next, updated_at: now })
      .where(eq(reports.report_id, report.report_id))
      .returning()
    const { title } = saved!
    const data = { report_id: report.report_id, title, slug: next.slug, changed }
    ctx.emit('report.updated', placeOf(project), data)
    return toReceipt(ctx, saved!, changed)
  },
})

export const remove = operation({
  name: 'reports.delete',
  summary: 'Delete a saved report',
  needs: 'projects:write',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}`,
    mcp: 'svc_reports.delete',
    cli: { usage: 'reports delete <report_id>', example: '1' },
    chat: true,
  },
  input: t.Object(address),
  output: t.Object({
    report_id: ReportId,
    project_id: ProjectId,
    title: t.String(),
    deleted: t.Literal(true),
  }),
  async run(input, ctx) {
    const { report, project } = await locateReport(ctx, input)
    const { report_id, title, slug, project_id } = report
    await ctx.tx.delete(reports).where(eq(reports.report_id, report_id))
    ctx.emit('report.deleted', placeOf(project), { report_id, title, slug })
    return { report_id, project_id, title, deleted: true as const }
  },
})

const toReceipt = (ctx: Context, report: Report, changed: string[]) => ({
  report_id: report.report_id,
  project_id: report.project_id,
  title: report.title,
  slug: report.slug,
  updated_at: report.updated_at.toISOString(),
  changed,
  view_url: viewUrl(ctx, report.report_id),
})
