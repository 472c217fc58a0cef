import { bring } from './import/import.ts'
import { create, get, list, remove, update } from './operations.ts'

export { enabledSkills, skillFor, skillsNamedIn } from './called.ts'
export { SLUG } from './schema.ts'
export { noteSkillUse, type Skill } from './store.ts'
export { skills } from './tables.ts'

export const operations = [list, get, create, update, remove, bring] as const
