import { createKey, createToken, listKeys, listTokens } from './credentials.ts'
import { revokeKey, revokeToken } from './revoke.ts'

export const operations = [
  revokeKey,
  revokeToken,
  listKeys,
  createKey,
  listTokens,
  createToken,
] as const
