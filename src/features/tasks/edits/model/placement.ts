import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import {
  findProject,
  foldName,
  lockProject,
  nextTicketNumber,
  type Project,
} from '../../../boards/projects/model/index.ts'
import {
  findSection,
  firstOpenSection,
  type Section,
  sectionsOf,
} from '../../../boards/sections/model/index.ts'
import { formerTickets } from '../../tasks/model/index.ts'
import type { Edit } from './edit.ts'
import { formerRank, rankAbove, rankAtEnd } from './sections.ts'

/** The target board of an update: the current one, or another board of the same team. */
export async function findTargetBoard(
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
    'Tasks can only move between boards of one team; create a new task on the other board',
  )
}

/** Moves the task to its target board and section, and returns that section. */
export async function moveToSection(
  edit: Edit,
  target: Project,
  update: { section_id?: number; status?: string; above?: number | null },
): Promise<Section> {
  const { ctx, task } = edit
  const { team_id, project_id } = task
  const returns = update.status === 'Normal' && task.status !== 'Normal'
  const leaves = target.project_id !== project_id
  const moves = update.section_id !== undefined || update.above !== undefined
  if (leaves || returns || moves) await lockProject(ctx.tx, target)
  const from = await findSection(ctx, { team_id, project_id }, task.section_id)
  const requestedId = update.section_id
  if (leaves) await renumber(edit, target)
  const to =
    requestedId !== undefined
      ? await findSection(ctx, target, requestedId)
      : leaves
        ? await matchingSection(ctx.tx, target, from)
        : from
  const rank =
    update.above === undefined ? undefined : await rankAbove(ctx.tx, to, task, update.above)
  const enters = to.section_id !== from.section_id
  if (enters) edit.enter(from, to, rank ?? (await rankAtEnd(ctx.tx, to)))
  else if (returns) edit.enter(from, to, rank ?? (await formerRank(ctx.tx, to, task)))
  else if (rank) edit.put('rank', rank)
  return to
}

/** Gives the task a key of its new board. Its former key still finds it. */
async function renumber(edit: Edit, { project_id, key }: Project): Promise<void> {
  const { ctx, task } = edit
  const { team_id, ticket_number, task_id } = task
  const number = await nextTicketNumber(ctx.tx, project_id)
  edit.put('project_id', project_id)
  edit.put('ticket_number', `${key}-${number}`)
  edit.set.unique_index = number
  await ctx.tx.insert(formerTickets).values({ team_id, ticket_number, task_id })
}

/**
 * The corresponding section of the target board: by title, then by role, else the first open one.
 */
async function matchingSection(tx: Tx, target: Project, from: Section): Promise<Section> {
  const candidates = await sectionsOf(tx, target)
  return (
    candidates.find(({ title }) => foldName(title) === foldName(from.title)) ??
    candidates.find(({ role, done }) => role === from.role && done === from.done) ??
    candidates.find(({ done }) => done && from.done) ??
    firstOpenSection(tx, target)
  )
}
