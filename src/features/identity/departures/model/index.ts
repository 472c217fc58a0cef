export { expiredTokenSweep } from './expired.ts'
export { removeMember } from './membership.ts'
export {
  revokeAgentTokens,
  revokeAllOf,
  revokeCredentials,
  stopAutomationOf,
  withChanges,
} from './revocation.ts'
export { STATE_AFTER, type StopAction } from './rules.ts'
export { DeletedAgent, RevokeReceipt, StateReceipt } from './schema.ts'
