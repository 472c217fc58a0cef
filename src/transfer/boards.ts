import { labels } from '../features/labels/index.ts'
import { projectMembers, projects } from '../features/projects/index.ts'
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
  const { sections: _, labels: __, members: ___, ...own } = board
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
  return { ...at, section_ids, label_ids }
}
