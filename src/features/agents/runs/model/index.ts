export { ruleBehind } from './cause.ts'
export {
  addUsage,
  appendToRun,
  type ClaimedRun,
  claimRun,
  currentRun,
  dueRuns,
  extendHold,
  freeRuns,
  heldBackWithoutNote,
  lastLines,
  noteQueuedRun,
  pauseOf,
  promptersOf,
  promptsSince,
  releaseRun,
  runsWithoutNote,
  settleRun,
} from './native.ts'
export { queueRuns } from './queue.ts'
export { actingAs, lockOpenRun, promptRun, type Run } from './store.ts'
export { runEntries, runs } from './tables.ts'
