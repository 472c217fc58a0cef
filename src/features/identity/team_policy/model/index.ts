export { type Policy, type PolicyField, policyFields } from './schema.ts'
export {
  daysAfter,
  policyOf,
  requireMayJoin,
  savePolicy,
  sessionLimit,
  tokenLimit,
} from './store.ts'
export { teamPolicies } from './tables.ts'
