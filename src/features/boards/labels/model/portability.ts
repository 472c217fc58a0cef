import { Type as t } from '@sinclair/typebox'
import {
  addUnique,
  boardPart,
  moment,
  plain,
  portableRows,
  ShortText,
  strict,
} from '../../../../store/portability/index.ts'
import { labelsOf } from './store.ts'
import { labels } from './tables.ts'

const rows = portableRows(
  labels,
  { name: plain(ShortText), color: plain(t.String({ maxLength: 50 })), created_at: moment },
  { label_id: 'generated' },
)

export const labelPart = boardPart({
  field: 'labels',
  type: t.Array(strict(rows.properties), { maxItems: 10_000 }),
  rows,
  async export({ tx, team_id, names }, { project_id, key }) {
    const found = await labelsOf(tx, { team_id, project_id })
    return found.map((row) => {
      names.labels.set(row.label_id, { board: key, label: row.name })
      return rows.write(row, names)
    })
  },
  async stage(items, { team_id, project_id, ids }, { inserter }) {
    const label_ids = new Map<string, number>()
    for (const item of items) {
      const row = { team_id, project_id, ...rows.read(item, ids) }
      const [label] = await inserter.insert(labels, [row], ['label_id'])
      label_ids.set(item.name.toLowerCase(), label!.label_id)
    }
    return { label_ids }
  },
  check(items, board) {
    for (const { name } of items) addUnique(board.labels, 'labels', name.toLowerCase())
  },
})
