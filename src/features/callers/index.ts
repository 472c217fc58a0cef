export { hears, toldSince } from './hearing.ts'
export { callerAgain, callerOf } from './store.ts'
