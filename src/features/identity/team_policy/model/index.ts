export { requireMayJoin } from './rules.ts'
export { type Policy, type PolicyField, policyFields } from './schema.ts'
export { daysAfter, policyOf, savePolicy, sessionLimit, tokenLimit } from './store.ts'
export { teamPolicies } from './tables.ts'
