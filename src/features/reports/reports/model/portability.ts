import { Type as t } from '@sinclair/typebox'
import {
  actor,
  boardRowLines,
  moment,
  nullable,
  plain,
  portableRows,
  ShortText,
  Text,
} from '../../../../store/portability/index.ts'
import { reports } from './tables.ts'

export const reportLines = boardRowLines({
  kind: 'report',
  what: 'a report',
  orderBy: [reports.slug],
  rows: portableRows(
    reports,
    {
      title: plain(ShortText),
      slug: plain(t.String({ minLength: 1, maxLength: 200 })),
      description: plain(nullable(Text)),
      body_html: plain(nullable(Text)),
      created_by: actor,
      created_at: moment,
      updated_at: moment,
    },
    { report_id: 'generated' },
  ),
  check: ({ board, slug }, file) => file.unique('reports', `${board} ${slug}`),
})
