export { hears, toldSince, unsettles } from './hearing.ts'
export { agentFor, callerAgain, callerFor, callerOf, type Known } from './store.ts'
