export { browserAccounts } from './browser-accounts.ts'
export { readCookies, sessionCookies } from './cookies.ts'
export { readDeviceCookie } from './devices.ts'
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
export { needsRotation, rotateSession } from './sessions.ts'
export { isEmpty, setUpFromCli, setUpLink } from './setup.ts'
export {
  createAgentToken,
  listAgents,
  listTokens,
  resolveAgent,
  revokeToken,
} from './tokens.ts'
