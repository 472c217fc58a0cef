import { and, count, eq, type SQL, sql, sum } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { send } from '../../../../store/send.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import type { Task } from './address.ts'
import { sectionCounts, tasks } from './tables.ts'

interface Board {
  team_id: number
  project_id: number
}

type Counted = Pick<Task, 'team_id' | 'project_id' | 'section_id' | 'status'>

const ofBoard = and(
  eq(sectionCounts.team_id, param('team_id')),
  eq(sectionCounts.project_id, param('project_id')),
)

const statements = prepared((tx) => ({
  add: tx
    .insert(sectionCounts)
    .values({
      team_id: param('team_id'),
      project_id: param('project_id'),
      section_id: param('section_id'),
      tasks: param('more'),
    })
    .onConflictDoUpdate({
      target: [sectionCounts.team_id, sectionCounts.project_id, sectionCounts.section_id],
      set: { tasks: sql`${sectionCounts.tasks} + excluded.tasks` },
    })
    .prepare('section_count_add'),
  all: tx
    .select({ section_id: sectionCounts.section_id, tasks: sectionCounts.tasks })
    .from(sectionCounts)
    .where(ofBoard)
    .prepare('section_counts'),
}))

/** The number of active tasks per section, from the stored counts. */
export async function countsOf(tx: Tx, { team_id, project_id }: Board) {
  const rows = await statements(tx).all.execute({ team_id, project_id })
  return new Map(rows.map((row) => [row.section_id, row.tasks]))
}

export async function countOnBoard(tx: Tx, board: Board): Promise<number> {
  let sum = 0
  for (const tasks of (await countsOf(tx, board)).values()) sum += tasks
  return sum
}

/** The number of active tasks on all boards that meet a condition. */
export async function countOnBoards(tx: Tx, condition: SQL | undefined): Promise<number> {
  const [row] = await tx
    .select({ tasks: sum(sectionCounts.tasks) })
    .from(projects)
    .innerJoin(
      sectionCounts,
      and(
        eq(sectionCounts.team_id, projects.team_id),
        eq(sectionCounts.project_id, projects.project_id),
      ),
    )
    .where(condition)
  return Number(row?.tasks ?? 0)
}

/** Updates the stored counts when a task is created, archived, restored or moved. */
export async function updateCounts(
  tx: Tx,
  before: Counted | undefined,
  after: Counted,
): Promise<void> {
  const changes = [
    { at: before, more: -1 },
    { at: after, more: 1 },
  ].filter(({ at }) => at?.status === 'Normal')
  if (changes.length === 2 && before?.section_id === after.section_id) return
  // Updates in a fixed order, so that two writers cannot deadlock.
  changes.sort((a, b) => a.at!.section_id - b.at!.section_id)
  for (const { at, more } of changes) await addToCount(tx, at!, more)
}

/** Adds to the stored count of a section. */
export const addToCount = (
  tx: Tx,
  { team_id, project_id, section_id }: Omit<Counted, 'status'>,
  delta: number,
) => send(tx, statements(tx).add.execute({ team_id, project_id, section_id, more: delta }))

/** Deletes the count of a section that is deleted, once all tasks have left it. */
export async function deleteCount(tx: Tx, { team_id, project_id, section_id }: Section) {
  await tx
    .delete(sectionCounts)
    .where(
      and(
        eq(sectionCounts.team_id, team_id),
        eq(sectionCounts.project_id, project_id),
        eq(sectionCounts.section_id, section_id),
      ),
    )
}

/** Recounts a board after a bulk insert; awaits `ready` between counting and writing. */
export async function rebuildCounts(
  tx: Tx,
  { team_id, project_id }: Board,
  ready: () => Promise<void> = async () => {},
): Promise<void> {
  const counted = await tx
    .select({ section_id: tasks.section_id, many: count() })
    .from(tasks)
    .where(
      and(eq(tasks.team_id, team_id), eq(tasks.project_id, project_id), eq(tasks.status, 'Normal')),
    )
    .groupBy(tasks.section_id)
  await ready()
  await tx
    .delete(sectionCounts)
    .where(and(eq(sectionCounts.team_id, team_id), eq(sectionCounts.project_id, project_id)))
  for (const { section_id, many } of counted)
    await addToCount(tx, { team_id, project_id, section_id }, many)
}
