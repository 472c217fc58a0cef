import { Type as t } from '@sinclair/typebox'
import {
  actor,
  from,
  InvalidRecord,
  moment,
  nullable,
  oneOf,
  plain,
  portableRows,
  position,
  Text,
  taskRowLines,
} from '../../../../store/portability/index.ts'
import { evidence } from './tables.ts'

export const evidenceLines = taskRowLines({
  kind: 'evidence',
  what: 'evidence',
  orderBy: [evidence.created_at, evidence.evidence_id],
  rows: portableRows(
    evidence,
    {
      kind: plain(oneOf('link', 'file', 'test_result', 'note')),
      summary: plain(Text),
      url: plain(nullable(t.String({ minLength: 1, maxLength: 2000 }))),
      attachment: from('attachment_id', position('attachment')),
      created_by: actor,
      created_at: moment,
    },
    { evidence_id: 'generated' },
  ),
  check({ task, attachment }, file) {
    if (attachment !== null && attachment > file.count('attachment'))
      throw new InvalidRecord(`evidence of ${task} is a file that does not exist`)
  },
})
