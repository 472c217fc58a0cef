import { and, count, desc, eq, inArray, isNull, lt, ne } from 'drizzle-orm'
import { generateKeyBetween } from 'fractional-indexing'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import { recordCompletion } from '../../../reports/flow/model/index.ts'
import { taskAssignees } from '../../assignees/model/index.ts'
import { inSection } from '../../records/model/index.ts'
import { type Task, tasks, tasksById } from '../../tasks/model/index.ts'

const selectLastRank = prepared((tx) =>
  tx
    .select({ rank: tasks.rank })
    .from(tasks)
    .where(
      and(
        eq(tasks.team_id, param('team_id')),
        eq(tasks.section_id, param('section_id')),
        eq(tasks.status, 'Normal'),
      ),
    )
    .orderBy(desc(tasks.rank))
    .limit(1)
    .prepare('tasks_last_rank'),
)

export async function lastRank(tx: Tx, { team_id, section_id }: Section): Promise<string | null> {
  const [row] = await selectLastRank(tx).execute({ team_id, section_id })
  return row?.rank ?? null
}

/** The rank below all tasks of a section. */
export const rankAtEnd = async (tx: Tx, section: Section) =>
  generateKeyBetween(await lastRank(tx, section), null)

/** The rank that a task had before it was archived, or at the end if another task has it by now. */
export async function formerRank(tx: Tx, section: Section, { rank }: Pick<Task, 'rank'>) {
  const [other] = await tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(and(inSection(section), eq(tasks.status, 'Normal'), eq(tasks.rank, rank)))
    .limit(1)
  return other ? rankAtEnd(tx, section) : rank
}

/** The rank above another task of the section, or below all of them. */
export async function rankAbove(
  tx: Tx,
  section: Section,
  { task_id, rank }: Pick<Task, 'task_id' | 'rank' | 'section_id'>,
  above: number | null,
): Promise<string> {
  if (above === task_id)
    throw fault.invalid(
      'above_task_id',
      'conflict',
      'A task cannot be placed above itself',
      above,
      'Use another task of the column, or null to place it last',
    )
  const otherTasks = and(inSection(section), eq(tasks.status, 'Normal'), ne(tasks.task_id, task_id))
  const below = above === null ? undefined : (await tasksById(tx, [above])).get(above)
  if (above !== null && (below?.section_id !== section.section_id || below.status !== 'Normal'))
    throw fault.conflict(
      `Task ${above} is not in the column "${section.title}"`,
      { field: 'above_task_id', value: above },
      'It may have been moved; read the board again',
    )
  const [before] = await tx
    .select({ rank: tasks.rank })
    .from(tasks)
    .where(and(otherTasks, below && lt(tasks.rank, below.rank)))
    .orderBy(desc(tasks.rank))
    .limit(1)
  const [from, to] = [before?.rank ?? null, below?.rank ?? null]
  // A task that is in place already keeps its rank.
  const isThere = (from === null || from < rank) && (to === null || rank < to)
  return isThere ? rank : generateKeyBetween(from, to)
}

/** Counts all tasks of a section, whatever their status. */
export async function countTasksInSection(tx: Tx, section: Section): Promise<number> {
  const [row] = await tx.select({ many: count() }).from(tasks).where(inSection(section))
  return row?.many ?? 0
}

export async function idsInSection(tx: Tx, section: Section): Promise<number[]> {
  const rows = await tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(inSection(section))
    .orderBy(tasks.task_id)
  return rows.map(({ task_id }) => task_id)
}

/** Completes or reopens the tasks of a section that began or ceased to count as done. */
export async function syncCompletion({ tx, now }: Context, section: Section): Promise<void> {
  if (section.done) await recordCompletion(tx, now, section)
  await tx
    .update(tasks)
    .set({ completed_at: section.done ? now : null })
    .where(and(inSection(section), section.done ? isNull(tasks.completed_at) : undefined))
  const activeTasks = tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(and(inSection(section), eq(tasks.status, 'Normal')))
  await tx
    .update(taskAssignees)
    .set({ open: !section.done })
    .where(
      and(eq(taskAssignees.team_id, section.team_id), inArray(taskAssignees.task_id, activeTasks)),
    )
}
