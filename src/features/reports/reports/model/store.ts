import { and, eq, getTableColumns, like, or } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import {
  findProject,
  findVisibleProject,
  type Project,
} from '../../../boards/projects/model/index.ts'
import type { Actor } from '../../../identity/people/model/index.ts'
import { freeSlug } from './rules.ts'
import type { ReportRow } from './schema.ts'
import { reports } from './tables.ts'

export type Report = typeof reports.$inferSelect

const { body_html: _, ...withoutBody } = getTableColumns(reports)
/** Lists leave out the bodies, because they may be long. */
export const listColumns = withoutBody
export type ReportSummary = Omit<Report, 'body_html'>

export interface Address {
  report_id?: number
  project_id?: number
  slug?: string
}

export const onBoard = ({ team_id, project_id }: Pick<Project, 'team_id' | 'project_id'>) =>
  and(eq(reports.team_id, team_id), eq(reports.project_id, project_id))

/** Loads a report with its board, by report_id, or by slug and project_id. */
export async function locateReport(
  ctx: Context,
  { report_id, project_id, slug }: Address,
): Promise<{ report: Report; project: Project }> {
  if (report_id === undefined) return bySlug(ctx, project_id, slug)
  const [report] = await ctx.tx.select().from(reports).where(eq(reports.report_id, report_id))
  const visible = report && (await findVisibleProject(ctx, report.project_id))
  if (!report || !visible)
    throw fault.notFound(
      'report_id',
      `There is no report ${report_id} that you can see`,
      report_id,
      HINT,
    )
  if (project_id !== undefined && project_id !== report.project_id)
    throw fault.invalid(
      'project_id',
      'conflict',
      `Report ${report_id} belongs to another board`,
      project_id,
      'Leave out project_id; report_id is enough',
    )
  return { report, project: await findProject(ctx, report.project_id) }
}

const HINT = 'List the reports of a board: svc_reports list'

async function bySlug(ctx: Context, project_id?: number, slug?: string) {
  if (project_id === undefined || slug === undefined)
    throw fault.invalid(
      'report_id',
      'required',
      'The report is required: report_id, or slug with project_id',
      undefined,
      HINT,
    )
  const project = await findProject(ctx, project_id)
  const [report] = await ctx.tx
    .select()
    .from(reports)
    .where(and(onBoard(project), eq(reports.slug, slug)))
  if (!report) throw fault.notFound('slug', `This board has no report "${slug}"`, slug, HINT)
  return { report, project }
}

/** Returns a slug that no other report of the board has. The board must be locked. */
export async function uniqueSlug(tx: Tx, project: Project, stem: string): Promise<string> {
  const rows = await tx
    .select({ slug: reports.slug })
    .from(reports)
    .where(and(onBoard(project), or(eq(reports.slug, stem), like(reports.slug, `${stem}-%`))))
  return freeSlug(stem, new Set(rows.map(({ slug }) => slug)))
}

/** Throws if another report of the board has the slug. */
export async function requireFreeSlug(tx: Tx, project: Project, slug: string): Promise<void> {
  const [existing] = await tx
    .select({ report_id: reports.report_id, title: reports.title })
    .from(reports)
    .where(and(onBoard(project), eq(reports.slug, slug)))
  if (existing)
    throw fault.conflict(
      `The report "${existing.title}" of this board already has that slug`,
      { field: 'slug', value: slug, report_id: existing.report_id },
      'Use another slug, or update that report',
    )
}

export const viewUrl = ({ server }: Pick<Context, 'server'>, report_id: number) =>
  `${server.url}/reports/${report_id}/view`

export const toReportRow = (ctx: Context, row: ReportSummary, created_by: Actor): ReportRow => ({
  report_id: row.report_id,
  project_id: row.project_id,
  title: row.title,
  slug: row.slug,
  description: row.description,
  created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  view_url: viewUrl(ctx, row.report_id),
})
