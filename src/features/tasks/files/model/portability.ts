import { Type as t } from '@sinclair/typebox'
import {
  actor,
  from,
  InvalidRecord,
  moment,
  nullable,
  Positive,
  plain,
  portableRows,
  position,
  Sha256,
  standaloneLines,
  strict,
  taskRowLines,
} from '../../../../store/portability/index.ts'
import { filesOf, verifiedBytes } from './bytes.ts'
import { attachments } from './tables.ts'

export const attachmentLines = taskRowLines({
  kind: 'attachment',
  what: 'an attachment',
  id: 'attachment_id',
  orderBy: [attachments.created_at, attachments.attachment_id],
  rows: portableRows(
    attachments,
    {
      comment: from('comment_id', position('comment')),
      filename: plain(t.String({ minLength: 1, maxLength: 255 })),
      content_type: plain(t.String({ minLength: 1, maxLength: 255 })),
      size: plain(Positive),
      sha256: plain(Sha256),
      created_by: actor,
      created_at: moment,
    },
    { attachment_id: 'generated' },
  ),
  check({ task, comment, sha256 }, file) {
    if (comment !== null && comment > file.count('comment'))
      throw new InvalidRecord(`an attachment of ${task} is on a comment that does not exist`)
    file.refer('files', sha256)
  },
  taskColumns: (records) => ({ attachment_count: records.length }),
})

/** The bytes of the attachments. The import stores them before it writes any row. */
export const fileLines = standaloneLines({
  kind: 'file',
  /** `data` is base64; null if the bytes were lost before the export. */
  type: strict({ sha256: Sha256, data: nullable(t.String({ maxLength: 32_000_000 })) }),
  rows: [],
  check(record, file) {
    file.unique('files', record.sha256)
    const bytes = verifiedBytes(record)
    if (typeof bytes === 'string') throw new InvalidRecord(bytes)
  },
  export: ({ tx, files, team_id }) => filesOf(tx, files, team_id),
  async stage() {},
})
