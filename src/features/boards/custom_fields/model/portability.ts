import { Type as t } from '@sinclair/typebox'
import { and, asc, eq } from 'drizzle-orm'
import {
  actor,
  addUnique,
  boardPart,
  moment,
  nullable,
  oneOf,
  plain,
  portableRows,
  ShortText,
  strict,
  Uuid,
} from '../../../../store/portability/index.ts'
import { foldName } from '../../projects/model/index.ts'
import { customFields } from './tables.ts'

const Option = strict({ option_id: t.String({ maxLength: 100 }), label: ShortText })

const rows = portableRows(
  customFields,
  {
    field_id: plain(Uuid),
    name: plain(ShortText),
    type: plain(oneOf('number', 'text', 'select', 'date', 'checkbox', 'url')),
    options: plain(nullable(t.Array(Option, { maxItems: 1000 }))),
    created_by: actor,
    created_at: moment,
  },
  { custom_field_id: 'generated', folded: 'made from the name' },
)

export const fieldPart = boardPart({
  field: 'fields',
  type: t.Array(strict(rows.properties), { maxItems: 10_000 }),
  rows,
  async export({ tx, team_id, names }, { project_id }) {
    const found = await tx
      .select()
      .from(customFields)
      .where(and(eq(customFields.team_id, team_id), eq(customFields.project_id, project_id)))
      .orderBy(asc(customFields.custom_field_id))
    return found.map((row) => rows.write(row, names))
  },
  /** Until the import is published, fields have other `field_id`s than in the file. */
  async stage(items, { team_id, project_id, ids }, { inserter }) {
    const field_ids = new Map<string, number>()
    for (const item of items) {
      const folded = foldName(item.name)
      const own = { ...rows.read(item, ids), field_id: Bun.randomUUIDv7(), folded }
      const row = { team_id, project_id, ...own }
      const [field] = await inserter.insert(customFields, [row], ['custom_field_id'])
      field_ids.set(folded, field!.custom_field_id)
    }
    return { field_ids }
  },
  check(items, board, file) {
    for (const item of items) {
      addUnique(board.fields, 'custom fields', foldName(item.name))
      file.actor(...rows.actorsIn(item))
    }
  },
  /** Gives the fields the ids of the file, except those that already exist here. */
  async publish(items, { field_ids }, tx) {
    for (const { field_id, name } of items) {
      const same = eq(customFields.field_id, field_id)
      const [existing] = await tx.select().from(customFields).where(same)
      if (existing) continue
      const own = eq(customFields.custom_field_id, field_ids.get(foldName(name))!)
      await tx.update(customFields).set({ field_id }).where(own)
    }
  },
})
