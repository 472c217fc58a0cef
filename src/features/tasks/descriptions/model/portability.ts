import {
  actor,
  cleanField,
  format,
  from,
  moment,
  Positive,
  plain,
  portableRows,
  Text,
  taskRowLines,
} from '../../../../store/portability/index.ts'
import { descriptionVersions } from './tables.ts'

export const versionLines = taskRowLines({
  kind: 'version',
  what: 'a text',
  orderBy: [descriptionVersions.version],
  rows: portableRows(
    descriptionVersions,
    {
      version: plain(Positive),
      content: plain(Text),
      content_type: format,
      author: from('author_id', actor),
      created_at: moment,
    },
    { version_id: 'generated' },
  ),
  clean: (record, clean) => cleanField(record, 'content', clean),
  check: ({ task, version }, file) => file.unique('texts', `${task} ${version}`),
})
