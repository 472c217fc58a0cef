export { agentFor, callerFor, callerOf, type Known, refreshCaller } from './store.ts'
export { canSeeChange, changesWithActors, mayChangeVisibility } from './visibility.ts'
