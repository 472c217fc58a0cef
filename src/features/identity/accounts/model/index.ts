export { browserAccounts } from './browser-accounts.ts'
export { requireCode } from './codes.ts'
export { cookieAttributes, parseCookies, readCookies, sessionCookies } from './cookies.ts'
export { requireCurrentPassword } from './current-password.ts'
export { readDeviceCookie } from './devices.ts'
export { emailLinks } from './email-links.ts'
export { eraseUser } from './erase.ts'
export { endIssuerSessions, ID_TOKEN, issuerSessionOf } from './issuer-sessions.ts'
export {
  type Arrival,
  arrive,
  checkOwnLink,
  linkIdentity,
  type PendingLink,
  pendingAccount,
  requestLink,
  wrongPassword,
} from './issuer-sign-in.ts'
export {
  addUser,
  deactivate,
  joinTeamAs,
  listUsers,
  ownerOf,
  reactivate,
  resolveTeam,
  resolveUser,
  setPassword,
} from './operator.ts'
export { createRecoveryLink } from './recover.ts'
export { resetFactors } from './reset-factors.ts'
export { limitSessions } from './session-limits.ts'
export { needsRotation, rotateSession } from './sessions.ts'
export { isEmpty, setUpFromCli, setUpLink } from './setup.ts'
export {
  createAgentToken,
  listAgents,
  listTokens,
  resolveAgent,
  revokeToken,
} from './tokens.ts'
