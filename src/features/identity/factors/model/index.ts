export { type FactorSummary, factorsOf, hasFactor } from './store.ts'
export { authenticatorApps, passkeys, recoveryCodes } from './tables.ts'
