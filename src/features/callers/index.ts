export { hears, toldSince } from './hearing.ts'
export { callerAgain, callerFor, callerOf, type Known } from './store.ts'
