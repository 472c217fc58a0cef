import * as all from './operations.ts'

export { openKey, SigningKey } from './keys.ts'
export * from './store.ts'
export { credentials } from './tables.ts'

export const operations = [
  all.listKeys,
  all.createKey,
  all.revokeKey,
  all.listTokens,
  all.createToken,
  all.revokeToken,
] as const
