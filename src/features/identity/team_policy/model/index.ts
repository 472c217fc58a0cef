export { teamPolicies } from './tables.ts'
