export { type AuthenticatedCaller, agentFor, callerFor, callerOf, refreshCaller } from './store.ts'
export { canSeeChange, changesWithActors, mayChangeVisibility } from './visibility.ts'
