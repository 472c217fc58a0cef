import { leave, remove } from './leaving.ts'
import { deleteAgent } from './operations.ts'
import { revokeKey, revokeToken } from './revoke.ts'
import { rotate } from './rotate.ts'
import { archive, deactivate, revoke } from './stops.ts'

export { endAll, endCredentials, ending, stopWorkOf } from './endings.ts'
export { expiring } from './expired.ts'

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
