export { decisionLines } from './portability.ts'
export { type DecisionRow, pendingDecisions } from './store.ts'
export { decisionRequests } from './tables.ts'
