export { addCost, costOf, monthOf } from './costs.ts'
export { emitAgent } from './emit.ts'
export { refuseArchived, requireOwnerInTeam, requireScopesOf } from './limits.ts'
export { CostUsd, toMicros, toUsd } from './money.ts'
export { obstacleTo, usedText } from './obstacles.ts'
export { agentLines } from './portability.ts'
export { Presence } from './presence.ts'
export { agentDetail } from './records.ts'
export {
  changeRestrictions,
  type Restrictions,
  restrictionsInput,
  restrictionsOutput,
  showRestrictions,
} from './restrictions.ts'
export { differences } from './rules.ts'
export { AgentId, AgentRef, AgentState, agentInput as namedAgent, IssuedAgent } from './schema.ts'
export {
  type Agent,
  agentsOfTeam,
  agentsOwnedBy,
  claimName,
  findAgent,
  insertAgent,
  lockAgents,
  lockManagedAgent,
  manages,
  type NamedAgent,
  namedAgents,
  setAgent,
} from './store.ts'
export { agentPresence, agents, monthlyCosts, webhooks } from './tables.ts'
export { issueToken, withToken } from './tokens.ts'
