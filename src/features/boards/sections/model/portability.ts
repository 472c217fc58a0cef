import { Type as t } from '@sinclair/typebox'
import {
  actor,
  boardPart,
  moment,
  newer,
  nullable,
  oneOf,
  orNull,
  plain,
  portableRows,
  Rank,
  ShortText,
  strict,
} from '../../../../store/portability/index.ts'
import { sectionsOf } from './store.ts'
import { sections } from './tables.ts'

const rows = portableRows(
  sections,
  {
    title: plain(ShortText),
    role: plain(oneOf('intake', 'committed', 'building', 'verify', 'done')),
    is_done: plain(nullable(t.Boolean())),
    done: plain(t.Boolean()),
    hidden: plain(t.Boolean()),
    // Files from before WIP limits have none.
    wip_limit: newer(plain(nullable(t.Integer({ minimum: 1, maximum: 1000 }))), null),
    // Files from before colors of columns have none.
    color: newer(plain(nullable(t.String({ maxLength: 50 }))), null),
    rank: plain(Rank),
    auto_assign: orNull(actor),
    created_at: moment,
  },
  { section_id: 'generated' },
)

export const sectionPart = boardPart({
  field: 'sections',
  type: t.Array(strict(rows.properties), { maxItems: 1000 }),
  rows,
  async export({ tx, team_id, names }, { project_id, key }) {
    const found = await sectionsOf(tx, { team_id, project_id })
    return found.map((row, section) => {
      names.columns.set(row.section_id, { board: key, section })
      return rows.write(row, names)
    })
  },
  async stage(items, { team_id, project_id, ids }, { inserter }) {
    const section_ids: number[] = []
    for (const item of items) {
      // Not a prepared statement: a placeholder cannot carry null for a boolean column.
      await inserter.beforeStatement()
      const row = { team_id, project_id, ...rows.read(item, ids) }
      const [section] = await inserter.tx.insert(sections).values(row).returning()
      section_ids.push(section!.section_id)
    }
    return { section_ids }
  },
  check(items, board, file) {
    board.sections = items.length
    for (const item of items) file.actor(...rows.actorsIn(item))
  },
})
