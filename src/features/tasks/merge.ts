import { generateNKeysBetween } from 'fractional-indexing'
import type { Context } from '../../kernel/caller.ts'
import type { Project } from '../projects/index.ts'
import type { Section } from '../sections/index.ts'
import { heldTask } from './address.ts'
import { handedTo } from './assignees.ts'
import { inSection, lastRank, listed } from './columns.ts'
import { Edit } from './edit.ts'
import { occur } from './repeat/occur.ts'
import { tasks } from './tables.ts'
import { finish } from './update.ts'

/** Moves the first tasks of a column, archived and deleted ones too, to the end of another. */
export async function moveTasks(
  ctx: Context,
  project: Project,
  { from, to, most }: { from: Section; to: Section; most: number },
): Promise<number> {
  const { tx } = ctx
  const moving = await tx
    .select(listed)
    .from(tasks)
    .where(inSection(from))
    .orderBy(tasks.rank, tasks.task_id)
    .limit(most)
  const ranks = generateNKeysBetween(await lastRank(tx, to), null, moving.length)
  const holder = await handedTo(ctx, project, to)
  for (const [at, row] of moving.entries()) {
    // Only the next occurrence copies the description.
    const task = row.recurrence ? await heldTask(tx, row.task_id) : { description: null, ...row }
    const edit = new Edit(ctx, task)
    edit.enter(from, to, ranks[at]!)
    const handed = row.status === 'Normal' ? holder : []
    const { saved, next } = await finish(edit, project, to, { given: {}, handed, leaving: from })
    if (next) await occur(ctx, project, saved, next)
  }
  return moving.length
}
