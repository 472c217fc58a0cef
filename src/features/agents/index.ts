import { get, list, presence } from './lists.ts'
import { create, enable, update } from './operations.ts'

export { refuseArchived, requireOwnerInTeam, requireScopesOf } from './limits.ts'
export { emitAgent as tellOfAgent } from './operations.ts'
export { Presence } from './presence.ts'
export { agentDetail } from './records.ts'
export { differences } from './rules.ts'
export { AgentId, AgentRef, AgentState, agentInput as namedAgent, IssuedAgent } from './schema.ts'
export * from './store.ts'
export { agentPresence, agents, webhooks } from './tables.ts'
export { issueToken, withToken } from './tokens.ts'

export const operations = [presence, list, get, create, update, enable] as const
