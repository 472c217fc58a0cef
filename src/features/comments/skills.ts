import type { Context } from '../../kernel/caller.ts'
import { skillsNamedIn } from '../skills/index.ts'
import type { Task } from '../tasks/index.ts'
import type { Comment } from './store.ts'

/**
 * Returns the skills of the board that a comment names. Personal skills are left out, because those
 * whom the comment mentions may not read them.
 */
export async function boardSkillsIn(
  ctx: Context,
  { project_id }: Pick<Task, 'project_id'>,
  { text, content_type }: Comment,
) {
  const namedSkills = await skillsNamedIn(ctx, project_id, text, content_type)
  const skills = namedSkills.filter((skill) => skill.project_id !== null)
  return skills.length ? { skills: skills.map(({ slug, name }) => ({ slug, name })) } : {}
}
