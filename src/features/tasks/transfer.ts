import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { findProject, folded, holdProject, type Project, takeNumber } from '../projects/index.ts'
import { findSection, firstOpenSection, type Section, sectionsOf } from '../sections/index.ts'
import { rankAbove, rankAtEnd } from './columns.ts'
import type { Edit } from './edit.ts'
import { formerTickets } from './tables.ts'

/** The board a task goes to: the one it is on, or another of its team. */
export async function boardFor(
  ctx: Context,
  project: Project,
  project_id = project.project_id,
): Promise<Project> {
  if (project_id === project.project_id) return project
  const target = await findProject(ctx, project_id)
  if (target.team_id === project.team_id) return target
  throw fault.invalid(
    'project_id',
    'conflict',
    `The board "${target.title}" belongs to another team`,
    project_id,
    'A task moves between boards of one team; create it anew on the other board',
  )
}

/** Moves the task to its board and column; answers the column it is in then. */
export async function place(
  edit: Edit,
  target: Project,
  given: { section_id?: number; status?: string; above?: number | null },
): Promise<Section> {
  const { ctx, task } = edit
  const { team_id, project_id } = task
  // What left the column's order comes back at its end: its old place may be another's by now.
  const returns = given.status === 'Normal' && task.status !== 'Normal'
  const leaves = target.project_id !== project_id
  const moves = given.section_id !== undefined || given.above !== undefined
  if (leaves || returns || moves) await holdProject(ctx.tx, target)
  const from = await findSection(ctx, { team_id, project_id }, task.section_id)
  const asked = given.section_id
  if (leaves) await renumber(edit, target)
  const to =
    asked !== undefined
      ? await findSection(ctx, target, asked)
      : leaves
        ? await columnLike(ctx.tx, target, from)
        : from
  const rank =
    given.above === undefined ? undefined : await rankAbove(ctx.tx, to, task, given.above)
  if (returns || to.section_id !== from.section_id)
    edit.enter(from, to, rank ?? (await rankAtEnd(ctx.tx, to)))
  else if (rank) edit.put('rank', rank)
  return to
}

/** On another board a task has another number; the key it had still leads to it. */
async function renumber(edit: Edit, { project_id, key }: Project): Promise<void> {
  const { ctx, task } = edit
  const { team_id, ticket_number, task_id } = task
  const number = await takeNumber(ctx.tx, project_id)
  edit.put('project_id', project_id)
  edit.put('ticket_number', `${key}-${number}`)
  edit.set.unique_index = number
  await ctx.tx.insert(formerTickets).values({ team_id, ticket_number, task_id })
}

/** The column that means the same there: by title, then by role, then where work begins. */
async function columnLike(tx: Tx, target: Project, from: Section): Promise<Section> {
  const there = await sectionsOf(tx, target)
  return (
    there.find(({ title }) => folded(title) === folded(from.title)) ??
    there.find(({ role, done }) => role === from.role && done === from.done) ??
    there.find(({ done }) => done && from.done) ??
    firstOpenSection(tx, target)
  )
}
