export { readCookies, sessionCookies } from './cookies.ts'
export { frontDesk } from './desk.ts'
export { deviceIn } from './devices.ts'
export { operations } from './operations.ts'
export {
  addUser,
  deactivate,
  joinAs,
  listUsers,
  ownerOf,
  reactivate,
  setPassword,
  teamNamed,
  userNamed,
} from './operator.ts'
export { needsRotation, openSession, rotateSession } from './sessions.ts'
export { isEmpty, prepare, setUpLink } from './setup.ts'
export {
  agentNamed,
  createAgentToken,
  listAgents,
  listTokens,
  revokeToken,
} from './tokens.ts'
