import { getInstructions, getPlaybook, setInstructions, setPlaybook } from './guidance.ts'
import { list } from './operations.ts'
import { archive, rename, update } from './settings.ts'

export { guidanceOf, heldProject, writeInstructions, writePlaybook } from './guidance.ts'
export { folded, keysFor, nameOf } from './names.ts'
export { shownProject } from './operations.ts'
export { Access, Guidance, ProjectId, ProjectRow, ProjectTitle, rules } from './schema.ts'
export * from './store.ts'
export {
  guidanceVersions,
  projectMembers,
  projects,
  projectUses,
} from './tables.ts'
export { trackUses } from './uses.ts'
export { keepVersion } from './versions.ts'

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
