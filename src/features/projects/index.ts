import { getInstructions, getPlaybook, setInstructions, setPlaybook } from './guidance.ts'
import { list } from './operations.ts'
import { archive, rename, update } from './settings.ts'

export { guidanceOf, lockedProject, writeInstructions, writePlaybook } from './guidance.ts'
export { cleanName, foldName, keyCandidates } from './names.ts'
export { toProjectRow } from './operations.ts'
export { Access, Guidance, ProjectId, ProjectRow, ProjectTitle, rules } from './schema.ts'
export * from './store.ts'
export {
  guidanceVersions,
  projectMembers,
  projects,
  projectUses,
} from './tables.ts'
export { recordUses } from './uses.ts'
export { saveGuidanceVersion } from './versions.ts'

export const operations = [
  list,
  rename,
  update,
  archive,
  getPlaybook,
  setPlaybook,
  getInstructions,
  setInstructions,
] as const
