import { Type as t } from '@sinclair/typebox'
import { operation } from '../../kernel/operation.ts'
import { described } from '../tasks/index.ts'
import { report as fields, Reported } from './schema.ts'
import { countTowards, keep } from './store.ts'
import { ticketFor } from './ticket.ts'

/** Of a ticket that stands for a report. */
const TEXT =
  '<p>Reported by people and agents of this server. Reports are anonymous; the number in the title counts them.</p>'

/** No change tells of it: an entry of the change log names whoever made it. */
export const report = operation({
  name: 'feedback.report',
  summary: 'Report a failed or surprising call, anonymously',
  needs: 'profile:write',
  on: {
    rest: 'POST /api/v1/feedback',
    mcp: 'svc_feedback.report',
    cli: 'feedback report <tool>',
    chat: true,
  },
  input: t.Object(fields),
  output: Reported,
  prepare: async (_, ask) =>
    ask.server.feedback_project
      ? described(ask, { description: TEXT, content_type: 'html' })
      : undefined,
  async run({ tool, status = 0, errorCode = '', category = 'other' }, ctx, text) {
    const kept = await keep(ctx, { tool, status, error_code: errorCode, category })
    const isNew = kept.count === 1
    await countTowards(ctx, isNew)
    await ticketFor(ctx, kept, text)
    return { reported: true as const, new: isNew, count: kept.count }
  },
})
