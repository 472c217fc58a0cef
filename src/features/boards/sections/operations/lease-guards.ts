import type { Context } from '../../../../kernel/caller.ts'
import { idsInSection } from '../../../tasks/edits/model/index.ts'
import { findProject } from '../../projects/model/index.ts'
import { findSection, guessDone, roleAfterRename, type Section } from '../model/index.ts'

interface Address {
  project_id: number
  section_id: number
}

interface SectionChange extends Partial<Pick<Section, 'title' | 'role' | 'is_done'>> {}

const locateSection = async (ctx: Context, { project_id, section_id }: Address) =>
  findSection(ctx, await findProject(ctx, project_id), section_id)

/** The tasks that deleting a section moves. */
export const tasksInSection = async (input: Address, ctx: Context) =>
  idsInSection(ctx.tx, await locateSection(ctx, input))

/**
 * The tasks that are completed or reopened if the change makes the section count as done, or not.
 */
export async function tasksChangedBy(input: Address & SectionChange, ctx: Context) {
  const before = await locateSection(ctx, input)
  return resolveRole(before, input).done === before.done ? [] : idsInSection(ctx.tx, before)
}

/** The role and done state of a section after the change. */
export function resolveRole(before: Section, change: SectionChange) {
  const { title = before.title, is_done = before.is_done } = change
  const role = change.role ?? roleAfterRename(before, title)
  return { role, is_done, done: is_done ?? guessDone(title, role) }
}
