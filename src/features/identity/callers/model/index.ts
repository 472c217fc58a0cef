export {
  type AuthenticatedCaller,
  activePersonFor,
  agentFor,
  callerFinder,
  callerFor,
  callerOf,
  refreshCaller,
  teamsRequiringFactor,
} from './store.ts'
export { canSeeChange, changesWithActors, mayChangeVisibility } from './visibility.ts'
