import { get, list, presence } from './lists.ts'
import { create, enable, update } from './operations.ts'

export { mayHold, refuseArchived, refuseOrphan } from './limits.ts'
export { tell as tellOfAgent } from './operations.ts'
export { Presence } from './presence.ts'
export { differences } from './rules.ts'
export { AgentId, AgentRef, AgentState, IssuedAgent, named as namedAgent } from './schema.ts'
export { shownAgent } from './shown.ts'
export * from './store.ts'
export { agentPresence, agents, webhooks } from './tables.ts'
export { issueToken, withToken } from './tokens.ts'

export const operations = [presence, list, get, create, update, enable] as const
