import { Type as t } from '@sinclair/typebox'
import {
  actor,
  InvalidRecord,
  listOf,
  moment,
  nullable,
  oneOf,
  orNull,
  plain,
  portableRows,
  Text,
  taskRowLines,
} from '../../../../store/portability/index.ts'
import { decisionRequests } from './tables.ts'

export const decisionLines = taskRowLines({
  kind: 'decision',
  what: 'a decision',
  orderBy: [decisionRequests.created_at, decisionRequests.decision_request_id],
  rows: portableRows(
    decisionRequests,
    {
      question: plain(Text),
      options: plain(t.Array(Text, { maxItems: 1000 })),
      note: plain(nullable(Text)),
      asked: listOf(actor, 10_000),
      status: plain(oneOf('pending', 'answered', 'cancelled')),
      selected_option: plain(nullable(Text)),
      answer_note: plain(nullable(Text)),
      created_by: actor,
      created_at: moment,
      closed_by: orNull(actor),
      closed_at: orNull(moment),
    },
    { decision_request_id: 'generated' },
  ),
  /** The answer and the closing must agree with the status. */
  check({ task, status, selected_option, options, closed_by, closed_at }) {
    const isAnswered = status === 'answered'
    if (isAnswered !== (selected_option !== null && options.includes(selected_option)))
      throw new InvalidRecord(`a decision of ${task} has an answer that is not one of its options`)
    if ((status === 'pending') !== (closed_at === null && closed_by === null))
      throw new InvalidRecord(
        `a decision of ${task} must have status, closed_by and closed_at together`,
      )
  },
})
