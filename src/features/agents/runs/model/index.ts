export {
  appendToRun,
  type ClaimedRun,
  claimRun,
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
} from './native.ts'
export { queueRuns } from './queue.ts'
export type { Run } from './store.ts'
export { runEntries, runs } from './tables.ts'
