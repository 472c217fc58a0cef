import { eq } from 'drizzle-orm'
import { generateNKeysBetween } from 'fractional-indexing'
import type { Context } from '../../kernel/caller.ts'
import { param, prepared } from '../../store/prepared.ts'
import { type Project, placeOf } from '../projects/index.ts'
import type { Section } from '../sections/index.ts'
import { heldTask } from './address.ts'
import { assigneesOf, followOpen } from './assignees.ts'
import { inSection, lastRank, listed } from './columns.ts'
import { mergeCounts } from './counts.ts'
import { Edit } from './edit.ts'
import { keepMove } from './flow/moves.ts'
import type { Listed } from './records.ts'
import { type Next, occur, upcoming } from './repeat/occur.ts'
import { tasks } from './tables.ts'

/** Puts all tasks of a column, archived and deleted ones too, at the end of another. */
export async function moveAllTasks(
  ctx: Context,
  project: Project,
  from: Section,
  to: Section,
): Promise<number> {
  const { tx } = ctx
  const moving = await tx
    .select(listed)
    .from(tasks)
    .where(inSection(from))
    .orderBy(tasks.rank, tasks.task_id)
  const ranks = generateNKeysBetween(await lastRank(tx, to), null, moving.length)
  const repeating: { task_id: number; next: Next }[] = []
  for (const [at, task] of moving.entries()) {
    const next = await put(ctx, task, { from, to, rank: ranks[at]! })
    if (next) repeating.push({ task_id: task.task_id, next })
  }
  await mergeCounts(tx, from, to)
  for (const { task_id, next } of repeating)
    await occur(ctx, project, await heldTask(tx, task_id), next)
  return moving.length
}

interface Place {
  from: Section
  to: Section
  rank: string
}

/** Answers what follows on a task that repeats, if this is how it got done. */
async function put(ctx: Context, moving: Listed, { from, to, rank }: Place) {
  const { tx, now } = ctx
  const task = moving.recurrence && to.done ? await heldTask(tx, moving.task_id) : moving
  const { task_id, ticket_number, title } = task
  const edit = new Edit(ctx, { description: null, ...task })
  edit.put('section_id', to.section_id)
  edit.set.completed_at = to.done ? (task.completed_at ?? now) : null
  const next = task.recurrence
    ? await upcoming(edit, to, await assigneesOf(tx, task), from)
    : undefined
  const { completed_at, recurrence = task.recurrence } = edit.set
  const { repeats_from = task.repeats_from, starts_from = task.starts_from } = edit.set
  const { section_id } = to
  await moves(tx).execute({
    ...{ task_id, section_id, rank, completed_at, recurrence, repeats_from, starts_from, now },
  })
  const moved = { ...moving, section_id, completed_at: completed_at ?? null }
  await keepMove(tx, now, moving, moved)
  await followOpen(tx, moving, moved)
  const { fields: changed, before, after } = edit
  ctx.emit(
    'task.updated',
    { ...placeOf(to), task_id },
    { ticket_number, title, changed, before, after },
  )
  return next
}

const moves = prepared((tx) =>
  tx
    .update(tasks)
    .set({
      section_id: param('section_id'),
      rank: param('rank'),
      completed_at: param('completed_at'),
      recurrence: param('recurrence'),
      repeats_from: param('repeats_from'),
      starts_from: param('starts_from'),
      updated_at: param('now'),
      section_changed_at: param('now'),
    })
    .where(eq(tasks.task_id, param('task_id')))
    .prepare('task_change_column'),
)
