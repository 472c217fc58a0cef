import * as all from './operations.ts'

export { keyRow, openKey, SigningKey } from './keys.ts'
export { AccessTokenId, ApiKeyId } from './schema.ts'
export * from './store.ts'
export { credentials, mintedWith, signingKeys } from './tables.ts'

export const operations = [all.listKeys, all.createKey, all.listTokens, all.createToken] as const
