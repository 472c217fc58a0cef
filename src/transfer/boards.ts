import { eq } from 'drizzle-orm'
import { customFields } from '../features/custom_fields/index.ts'
import { labels } from '../features/labels/index.ts'
import { folded, projectMembers, projects } from '../features/projects/index.ts'
import { reports } from '../features/reports/index.ts'
import { sections } from '../features/sections/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { RecordOf } from './schema.ts'
import type { Placed } from './tasks.ts'

const moment = (text: string) => new Date(text)

/** Writes a board with its columns, its labels and whoever was invited to it. */
export async function placeBoard(
  tx: Tx,
  team_id: number,
  actorOf: (who: string) => number,
  board: RecordOf<'board'>,
): Promise<Placed> {
  const { sections: _, labels: __, members: ___, fields: ____, ...own } = board
  const [project] = await tx
    .insert(projects)
    .values({
      ...{ ...own, team_id },
      created_by: actorOf(own.created_by),
      created_at: moment(own.created_at),
      updated_at: moment(own.updated_at),
    })
    .returning()
  const at = { team_id, project_id: project!.project_id }
  const section_ids: number[] = []
  for (const { auto_assign: who, created_at, ...column } of board.sections) {
    const auto_assign = who === null ? null : actorOf(who)
    const row = { ...column, ...at, auto_assign, created_at: moment(created_at) }
    const [section] = await tx.insert(sections).values(row).returning()
    section_ids.push(section!.section_id)
  }
  const label_ids = new Map<string, number>()
  for (const { name, color, created_at } of board.labels) {
    const row = { ...at, name, color, created_at: moment(created_at) }
    const [label] = await tx.insert(labels).values(row).returning()
    label_ids.set(name.toLowerCase(), label!.label_id)
  }
  for (const { who, added_at } of board.members) {
    const row = { ...at, actor_id: actorOf(who), added_at: moment(added_at) }
    await tx.insert(projectMembers).values(row)
  }
  return { ...at, section_ids, label_ids, field_ids: await placeFields(tx, at, actorOf, board) }
}

/** By name in lower case. A field whose id is taken here, by whatever team, is given another. */
async function placeFields(
  tx: Tx,
  at: { team_id: number; project_id: number },
  actorOf: (who: string) => number,
  { fields }: RecordOf<'board'>,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const { field_id, created_by, created_at, ...own } of fields) {
    const [taken] = await tx.select().from(customFields).where(eq(customFields.field_id, field_id))
    const [field] = await tx
      .insert(customFields)
      .values({
        ...{ ...at, ...own, folded: folded(own.name) },
        field_id: taken ? Bun.randomUUIDv7() : field_id,
        created_by: actorOf(created_by),
        created_at: moment(created_at),
      })
      .returning()
    ids.set(folded(own.name), field!.custom_field_id)
  }
  return ids
}

/** Writes a report of a board that is there by now. */
export async function placeReport(
  tx: Tx,
  { team_id, project_id }: Placed,
  actorOf: (who: string) => number,
  { board: _, ...own }: RecordOf<'report'>,
): Promise<void> {
  await tx.insert(reports).values({
    ...{ team_id, project_id, ...own },
    created_by: actorOf(own.created_by),
    created_at: moment(own.created_at),
    updated_at: moment(own.updated_at),
  })
}
