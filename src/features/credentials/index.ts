import * as all from './operations.ts'

export { keyRow, openKey, SigningKey } from './keys.ts'
export * from './store.ts'
export { credentials, signingKeys } from './tables.ts'

export const operations = [
  all.listKeys,
  all.createKey,
  all.revokeKey,
  all.listTokens,
  all.createToken,
  all.revokeToken,
] as const
