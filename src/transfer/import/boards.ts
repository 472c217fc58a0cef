import { eq } from 'drizzle-orm'
import { customFields } from '../../features/custom_fields/index.ts'
import { labels } from '../../features/labels/index.ts'
import { foldName, projectMembers, projects } from '../../features/projects/index.ts'
import { reports } from '../../features/reports/index.ts'
import { sections } from '../../features/sections/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import type { Inserter } from '../../store/bulk.ts'
import type { RecordOf } from '../schema.ts'
import type { ImportedBoard } from './tasks.ts'

const toDate = (text: string) => new Date(text)

/** Inserts a board with its columns, labels, invited members and custom fields. */
export async function insertBoard(
  inserter: Inserter,
  team_id: number,
  actorOf: (who: string) => number,
  board: RecordOf<'board'>,
): Promise<ImportedBoard> {
  const { sections: _, labels: __, members: ___, fields: ____, ...own } = board
  const row = {
    ...{ ...own, team_id },
    created_by: actorOf(own.created_by),
    created_at: toDate(own.created_at),
    updated_at: toDate(own.updated_at),
  }
  const [project] = await inserter.insert(projects, [row], ['project_id'])
  const keys = { team_id, project_id: project!.project_id }
  const section_ids: number[] = []
  for (const { auto_assign: who, created_at, ...column } of board.sections) {
    const auto_assign = who === null ? null : actorOf(who)
    const row = { ...column, ...keys, auto_assign, created_at: toDate(created_at) }
    // Not a prepared statement: a placeholder cannot carry null for a boolean column.
    await inserter.beforeStatement()
    const [section] = await inserter.tx.insert(sections).values(row).returning()
    section_ids.push(section!.section_id)
  }
  const label_ids = new Map<string, number>()
  for (const { name, color, created_at } of board.labels) {
    const row = { ...keys, name, color, created_at: toDate(created_at) }
    const [label] = await inserter.insert(labels, [row], ['label_id'])
    label_ids.set(name.toLowerCase(), label!.label_id)
  }
  const memberRows = board.members.map(({ who, added_at }) => ({
    ...{ ...keys, actor_id: actorOf(who), added_at: toDate(added_at) },
  }))
  await inserter.insert(projectMembers, memberRows)
  return {
    ...keys,
    section_ids,
    label_ids,
    field_ids: await insertFields(inserter, keys, actorOf, board),
  }
}

/**
 * Returns the row ids by folded name. Until the import is published, fields have other `field_id`s
 * than in the file.
 */
async function insertFields(
  inserter: Inserter,
  keys: { team_id: number; project_id: number },
  actorOf: (who: string) => number,
  { fields }: RecordOf<'board'>,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const { field_id: _, created_by, created_at, ...own } of fields) {
    const row = {
      ...{ ...keys, ...own, folded: foldName(own.name), field_id: Bun.randomUUIDv7() },
      created_by: actorOf(created_by),
      created_at: toDate(created_at),
    }
    const [field] = await inserter.insert(customFields, [row], ['custom_field_id'])
    ids.set(row.folded, field!.custom_field_id)
  }
  return ids
}

/** Gives the fields of a board the ids of the file, except those that already exist here. */
export async function assignFieldIds(
  tx: Tx,
  { field_ids }: ImportedBoard,
  { fields }: RecordOf<'board'>,
): Promise<void> {
  for (const { field_id, name } of fields) {
    const same = eq(customFields.field_id, field_id)
    const [existing] = await tx.select().from(customFields).where(same)
    if (existing) continue
    const own = eq(customFields.custom_field_id, field_ids.get(foldName(name))!)
    await tx.update(customFields).set({ field_id }).where(own)
  }
}

/** Inserts a report of an already inserted board. */
export async function insertReport(
  inserter: Inserter,
  { team_id, project_id }: ImportedBoard,
  actorOf: (who: string) => number,
  { board: _, ...own }: RecordOf<'report'>,
): Promise<void> {
  const row = {
    ...{ team_id, project_id, ...own },
    created_by: actorOf(own.created_by),
    created_at: toDate(own.created_at),
    updated_at: toDate(own.updated_at),
  }
  await inserter.insert(reports, [row])
}
