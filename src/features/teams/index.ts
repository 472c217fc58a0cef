export { AGENT_SCOPES, ROLES } from './roles.ts'
export * from './store.ts'
export { members, teams } from './tables.ts'

export const operations = [] as const
