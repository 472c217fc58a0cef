import { getInstructions, getPlaybook, setInstructions, setPlaybook } from './guidance.ts'
import { list } from './operations.ts'
import { archive, rename, update } from './settings.ts'

export { guidanceOf } from './guidance.ts'
export { folded, keysFor, nameOf } from './names.ts'
export { shownProject } from './operations.ts'
export { Access, Guidance, ProjectId, ProjectRow, ProjectTitle } from './schema.ts'
export * from './store.ts'
export { projectMembers, projects, projectUses } from './tables.ts'
export { trackUses } from './uses.ts'

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
