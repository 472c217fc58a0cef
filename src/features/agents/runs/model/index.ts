export {
  appendToRun,
  currentRun,
  dueRuns,
  extendHold,
  freeRuns,
  lastLines,
  noteQueuedRun,
  promptersOf,
  promptsSince,
  releaseRun,
  runsWithoutNote,
  settleRun,
  type TakenRun,
  takeRun,
} from './native.ts'
export { queueRuns } from './queue.ts'
export type { Run } from './store.ts'
export { runEntries, runs } from './tables.ts'
