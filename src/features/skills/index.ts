import { bring } from './import/import.ts'
import { create, get, list, remove, update } from './operations.ts'

export { enabledSkills, skillFor, skillsNamedIn } from './callable.ts'
export type { Draft } from './draft.ts'
export { SkillId, SLUG } from './schema.ts'
export { changeSkill, insertSkill, markSkillsUsed, type Skill, skillsOf } from './store.ts'
export { skills } from './tables.ts'

export const operations = [list, get, create, update, remove, bring] as const
