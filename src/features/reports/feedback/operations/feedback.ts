import { Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { prepareDescription } from '../../../tasks/descriptions/model/index.ts'
import { report as fields, Reported } from '../model/schema.ts'
import { countTowardsLimit, recordReport } from '../model/store.ts'
import { updateTicket } from '../model/ticket.ts'

/** The description of the ticket of a report. */
const TEXT =
  '<p>Reported by people and agents of this server. Reports are anonymous; the number in the title counts them.</p>'

/** A report emits no change, because an entry of the change log names its author. */
export const report = operation({
  name: 'feedback.report',
  summary: 'Report a failed or unexpected call anonymously',
  needs: 'profile:write',
  on: {
    rest: 'POST /api/v1/feedback',
    mcp: 'svc_feedback.report',
    cli: {
      usage: 'feedback report <tool>',
      example: 'svc_tasks --status 500 --error-code internal --category call_failed',
    },
    chat: true,
  },
  input: t.Object(fields),
  output: Reported,
  prepare: async (_, ask) =>
    ask.server.feedback_project
      ? prepareDescription(ask, { description: TEXT, content_type: 'html' })
      : undefined,
  async run({ tool, status = 0, errorCode = '', category = 'other' }, ctx, text) {
    const recorded = await recordReport(ctx, { tool, status, error_code: errorCode, category })
    const isNew = recorded.count === 1
    await countTowardsLimit(ctx, isNew)
    await updateTicket(ctx, recorded, text)
    return { reported: true as const, new: isNew, count: recorded.count }
  },
})
