export { cleanName, foldName, keyCandidates } from './names.ts'
export { insertProject, wantedKeys } from './new-project.ts'
export { guidanceOf } from './playbook.ts'
export { boardLinesWith } from './portability.ts'
export { Access, Guidance, ProjectId, ProjectRow, ProjectTitle, rules } from './schema.ts'
export { setProjectStatus } from './status.ts'
export {
  findProject,
  findVisibleProject,
  lockProject,
  mayManage,
  nextTicketNumber,
  type Project,
  placeOf,
  projectById,
  touchProject,
  urlOf,
  visibleProjects,
} from './store.ts'
export { guidanceVersions, projectMembers, projects, projectUses } from './tables.ts'
export { recordUses } from './uses.ts'
export { saveGuidanceVersion } from './versions.ts'
