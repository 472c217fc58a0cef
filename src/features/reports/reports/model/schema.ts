import { type Static, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'

const orNull = <T extends ReturnType<typeof t.String>>(text: T) => t.Union([text, t.Null()])

export const ReportId = Id('Id of a report')
export const Title = t.String({ minLength: 1, maxLength: 300, description: 'Title of the report' })
export const Slug = t.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  description: 'Name in URLs, such as weekly-status; unique on its board',
})
export const Description = orNull(t.String({ maxLength: 10_000, description: 'What it shows' }))
/** A report is shown in a sandbox, so its HTML may be a whole page with its own styles. */
export const Body = orNull(
  t.String({ maxLength: 1_048_576, description: 'HTML page; its scripts never run' }),
)

const fields = {
  report_id: ReportId,
  project_id: ProjectId,
  title: t.String(),
  slug: t.String(),
  description: orNull(t.String()),
  created_by: Actor,
  created_at: Timestamp,
  updated_at: Timestamp,
  view_url: t.String({ description: 'Address that shows it in a sandbox' }),
}
const columns = ['report_id', 'title', 'slug', 'description', 'updated_at', 'view_url']

export const ReportRow = t.Object(fields, {
  columns,
  omits: { project_id: 'the call names it', created_at: 'updated_at is the later of the two' },
})
export type ReportRow = Static<typeof ReportRow>

export const ReportRecord = t.Object(
  { ...fields, body_html: orNull(t.String()) },
  {
    columns: [...columns, 'body_html'],
    omits: { project_id: 'the call names it', created_at: 'updated_at is the later of the two' },
  },
)

export const ReportReceipt = t.Object({
  report_id: ReportId,
  project_id: ProjectId,
  title: t.String(),
  slug: t.String(),
  updated_at: Timestamp,
  changed: t.Array(t.String()),
  view_url: t.String(),
})
