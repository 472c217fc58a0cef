export { personLines, teamLines } from './portability.ts'
export { AGENT_SCOPES, DEFAULT_AGENT_SCOPES, ROLES } from './roles.ts'
export { RoleName, TeamId, TeamRef } from './schema.ts'
export {
  createTeam,
  findTeam,
  joinTeam,
  lockTeam,
  requireTeamScope,
  roleOf,
  rolesOf,
  type Team,
} from './store.ts'
export { members, teams } from './tables.ts'
