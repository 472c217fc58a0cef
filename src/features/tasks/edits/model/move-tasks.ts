import { generateNKeysBetween } from 'fractional-indexing'
import type { Context } from '../../../../kernel/caller.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import { autoAssignees } from '../../assignees/model/index.ts'
import { inSection } from '../../records/model/index.ts'
import { lockTask, summaryColumns, tasks } from '../../tasks/model/index.ts'
import { Edit } from './edit.ts'
import { createNext } from './next-task.ts'
import { lastRank } from './sections.ts'
import { finish } from './update.ts'

/** Moves the first tasks of a section to the end of another, archived and deleted ones included. */
export async function moveTasks(
  ctx: Context,
  project: Project,
  { from, to, most: limit }: { from: Section; to: Section; most: number },
): Promise<number> {
  const { tx } = ctx
  const rows = await tx
    .select(summaryColumns)
    .from(tasks)
    .where(inSection(from))
    .orderBy(tasks.rank, tasks.task_id)
    .limit(limit)
  const ranks = generateNKeysBetween(await lastRank(tx, to), null, rows.length)
  const autoAssigned = await autoAssignees(ctx, project, to)
  for (const [at, row] of rows.entries()) {
    // The description is needed only for repeating tasks, whose next occurrence copies it.
    const task = row.recurrence ? await lockTask(tx, row.task_id) : { description: null, ...row }
    const edit = new Edit(ctx, task)
    edit.enter(from, to, ranks[at]!)
    const assignees = row.status === 'Normal' ? autoAssigned : []
    const { saved, next } = await finish(edit, project, to, {
      update: {},
      autoAssigned: assignees,
      leaving: from,
    })
    if (next) await createNext(ctx, project, saved, next)
  }
  return rows.length
}
