import {
  actor,
  from,
  InvalidRecord,
  moment,
  nullable,
  orNull,
  plain,
  portableRows,
  Text,
  taskRowLines,
} from '../../../../store/portability/index.ts'
import { escalations } from './tables.ts'

export const escalationLines = taskRowLines({
  kind: 'escalation',
  what: 'an escalation',
  orderBy: [escalations.created_at, escalations.escalation_id],
  rows: portableRows(
    escalations,
    {
      reason: plain(Text),
      to: from('to_id', actor),
      created_by: actor,
      created_at: moment,
      note: plain(nullable(Text)),
      resolved_by: orNull(actor),
      resolved_at: orNull(moment),
    },
    { escalation_id: 'generated' },
  ),
  check({ task, resolved_by, resolved_at }) {
    if ((resolved_by === null) !== (resolved_at === null))
      throw new InvalidRecord(
        `an escalation of ${task} must have resolved_by and resolved_at together`,
      )
  },
})
