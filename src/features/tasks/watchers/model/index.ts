export { setWatching, watchersAmong, withoutUnwatching } from './store.ts'
export { taskWatchers } from './tables.ts'
