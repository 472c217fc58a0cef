import { get, list, presence } from './lists.ts'
import { create, enable, rotate, update } from './operations.ts'

export { tell as tellOfAgent } from './operations.ts'
export { Presence } from './presence.ts'
export { differences } from './rules.ts'
export { AgentId, AgentRef, AgentState, named as namedAgent } from './schema.ts'
export * from './store.ts'
export { agentPresence, agents, webhooks } from './tables.ts'
export { endTokens } from './tokens.ts'

export const operations = [presence, list, get, create, update, rotate, enable] as const
