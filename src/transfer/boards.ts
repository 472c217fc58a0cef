import { eq } from 'drizzle-orm'
import { customFields } from '../features/custom_fields/index.ts'
import { labels } from '../features/labels/index.ts'
import { folded, projectMembers, projects } from '../features/projects/index.ts'
import { reports } from '../features/reports/index.ts'
import { sections } from '../features/sections/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { Inserter } from '../store/bulk.ts'
import type { RecordOf } from './schema.ts'
import type { Placed } from './tasks.ts'

const moment = (text: string) => new Date(text)

/** Writes a board with its columns, its labels and whoever was invited to it. */
export async function placeBoard(
  inserter: Inserter,
  team_id: number,
  actorOf: (who: string) => number,
  board: RecordOf<'board'>,
): Promise<Placed> {
  const { sections: _, labels: __, members: ___, fields: ____, ...own } = board
  const row = {
    ...{ ...own, team_id },
    created_by: actorOf(own.created_by),
    created_at: moment(own.created_at),
    updated_at: moment(own.updated_at),
  }
  const [project] = await inserter.insert(projects, [row], ['project_id'])
  const at = { team_id, project_id: project!.project_id }
  const section_ids: number[] = []
  for (const { auto_assign: who, created_at, ...column } of board.sections) {
    const auto_assign = who === null ? null : actorOf(who)
    const row = { ...column, ...at, auto_assign, created_at: moment(created_at) }
    // Built at once and not prepared: a placeholder cannot carry the null of a boolean.
    await inserter.ready()
    const [section] = await inserter.tx.insert(sections).values(row).returning()
    section_ids.push(section!.section_id)
  }
  const label_ids = new Map<string, number>()
  for (const { name, color, created_at } of board.labels) {
    const row = { ...at, name, color, created_at: moment(created_at) }
    const [label] = await inserter.insert(labels, [row], ['label_id'])
    label_ids.set(name.toLowerCase(), label!.label_id)
  }
  const invited = board.members.map(({ who, added_at }) => ({
    ...{ ...at, actor_id: actorOf(who), added_at: moment(added_at) },
  }))
  await inserter.insert(projectMembers, invited)
  return {
    ...at,
    section_ids,
    label_ids,
    field_ids: await placeFields(inserter, at, actorOf, board),
  }
}

/** By name, folded. Until the import is published they have other ids than in the file. */
async function placeFields(
  inserter: Inserter,
  at: { team_id: number; project_id: number },
  actorOf: (who: string) => number,
  { fields }: RecordOf<'board'>,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const { field_id: _, created_by, created_at, ...own } of fields) {
    const row = {
      ...{ ...at, ...own, folded: folded(own.name), field_id: Bun.randomUUIDv7() },
      created_by: actorOf(created_by),
      created_at: moment(created_at),
    }
    const [field] = await inserter.insert(customFields, [row], ['custom_field_id'])
    ids.set(row.folded, field!.custom_field_id)
  }
  return ids
}

/** Gives the fields of a board the ids that the file has for them, unless they are taken here. */
export async function nameFields(
  tx: Tx,
  { field_ids }: Placed,
  { fields }: RecordOf<'board'>,
): Promise<void> {
  for (const { field_id, name } of fields) {
    const same = eq(customFields.field_id, field_id)
    const [taken] = await tx.select().from(customFields).where(same)
    if (taken) continue
    const own = eq(customFields.custom_field_id, field_ids.get(folded(name))!)
    await tx.update(customFields).set({ field_id }).where(own)
  }
}

/** Writes a report of a board that is there by now. */
export async function placeReport(
  inserter: Inserter,
  { team_id, project_id }: Placed,
  actorOf: (who: string) => number,
  { board: _, ...own }: RecordOf<'report'>,
): Promise<void> {
  const row = {
    ...{ team_id, project_id, ...own },
    created_by: actorOf(own.created_by),
    created_at: moment(own.created_at),
    updated_at: moment(own.updated_at),
  }
  await inserter.insert(reports, [row])
}
