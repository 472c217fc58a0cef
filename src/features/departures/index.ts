import { leave, remove } from './leaving.ts'
import { deleteAgent } from './operations.ts'
import { revokeKey, revokeToken } from './revoke.ts'
import { rotate } from './rotate.ts'
import { archive, deactivate, revoke } from './stops.ts'

export { expiredTokenSweep } from './expired.ts'
export { revokeAllOf, revokeCredentials, stopAutomationOf, withChanges } from './revocation.ts'

export const operations = [
  rotate,
  deactivate,
  revoke,
  archive,
  deleteAgent,
  remove,
  leave,
  revokeKey,
  revokeToken,
] as const
