import { create, get, list, rename } from './operations.ts'

export { AGENT_SCOPES, DEFAULT_AGENT_SCOPES, ROLES } from './roles.ts'
export { RoleName, TeamId, TeamRef } from './schema.ts'
export * from './store.ts'
export { members, teams } from './tables.ts'

export const operations = [list, get, create, rename] as const
