export { emitAgent } from './emit.ts'
export { refuseArchived, requireOwnerInTeam, requireScopesOf } from './limits.ts'
export { agentLines } from './portability.ts'
export { Presence } from './presence.ts'
export { agentDetail } from './records.ts'
export { differences } from './rules.ts'
export { AgentId, AgentRef, AgentState, agentInput as namedAgent, IssuedAgent } from './schema.ts'
export {
  type Agent,
  agentsOfTeam,
  agentsOwnedBy,
  claimName,
  findAgent,
  lockManagedAgent,
  manages,
  type NamedAgent,
  namedAgents,
  setAgent,
} from './store.ts'
export { agentPresence, agents, webhooks } from './tables.ts'
export { issueToken, withToken } from './tokens.ts'
