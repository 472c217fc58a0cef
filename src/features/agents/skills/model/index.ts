export { enabledSkills, skillFor, skillsNamedIn } from './callable.ts'
export type { Draft } from './draft.ts'
export { skillLines } from './portability.ts'
export { SkillId, SLUG } from './schema.ts'
export {
  changeSkill,
  insertSkill,
  markSkillsUsed,
  ofOwner,
  type Skill,
  skillsOf,
  visibleTo as visibleSkills,
} from './store.ts'
export { skills } from './tables.ts'
