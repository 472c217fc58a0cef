export {
  setWatching,
  tasksWithChoice,
  watchersAmong,
  withoutUnwatching,
} from './store.ts'
export { taskWatchers } from './tables.ts'
