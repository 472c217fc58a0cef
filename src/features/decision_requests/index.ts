import { answer, cancel, create, get, list } from './operations.ts'

export { type DecisionRow, pendingDecisions } from './store.ts'
export { decisionRequests } from './tables.ts'

export const operations = [create, list, get, answer, cancel] as const
