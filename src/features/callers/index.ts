export { callerOf, type Known } from './store.ts'
