import type { Context } from '../../kernel/caller.ts'
import { findProject } from '../projects/index.ts'
import { findSection, guessDone, roleAfterRename, type Section } from '../sections/index.ts'
import { idsInSection } from '../tasks/index.ts'

interface Address {
  project_id: number
  section_id: number
}

interface Wanted extends Partial<Pick<Section, 'title' | 'role' | 'is_done'>> {}

const sectionOf = async (ctx: Context, { project_id, section_id }: Address) =>
  findSection(ctx, await findProject(ctx, project_id), section_id)

/** Whoever deletes a column moves all that it holds. */
export const heldIn = async (input: Address, ctx: Context) =>
  idsInSection(ctx.tx, await sectionOf(ctx, input))

/** Where a column begins to count as done, or ceases to, so do its tasks. */
export async function turnedBy(input: Address & Wanted, ctx: Context) {
  const before = await sectionOf(ctx, input)
  return standing(before, input).done === before.done ? [] : idsInSection(ctx.tx, before)
}

/** What a column stands for after such a change. */
export function standing(before: Section, wanted: Wanted) {
  const { title = before.title, is_done = before.is_done } = wanted
  const role = wanted.role ?? roleAfterRename(before, title)
  return { role, is_done, done: is_done ?? guessDone(title, role) }
}
