import type { Context } from '../../kernel/caller.ts'
import { skillsNamedIn } from '../skills/index.ts'
import type { Task } from '../tasks/index.ts'
import type { Comment } from './store.ts'

/** The skills of the board that a comment names: those that whoever it calls may read. */
export async function skillsIn(
  ctx: Context,
  { project_id }: Pick<Task, 'project_id'>,
  { text, content_type }: Comment,
) {
  const named = await skillsNamedIn(ctx, project_id, text, content_type)
  const skills = named.filter((one) => one.project_id !== null)
  return skills.length ? { skills: skills.map(({ slug, name }) => ({ slug, name })) } : {}
}
