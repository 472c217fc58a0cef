import type { Context } from '../../kernel/caller.ts'
import { pick } from '../../kernel/list.ts'
import { type Project, placeOf, saveGuidanceVersion } from '../projects/index.ts'
import { FIELDS } from './draft.ts'
import type { skills } from './tables.ts'

type Skill = typeof skills.$inferSelect

/** Saves a version of a board's skill. Versions of one's own skills are not kept. */
export async function saveSkillVersion(
  ctx: Context,
  board: Project | undefined,
  skill: Skill,
  changed: readonly string[],
  before?: Skill,
): Promise<number | undefined> {
  if (!board) return undefined
  const { skill_id } = skill
  return saveGuidanceVersion(ctx, {
    ...{ ...placeOf(board), kind: 'skill' as const, skill_id, changed },
    content: pick(skill, FIELDS),
    ...(before && { before: { content: pick(before, FIELDS), created_at: before.updated_at } }),
  })
}
