import { list, log, remove, running, update } from './entries.ts'
import { report } from './report.ts'
import { pause, resume, start, status, stop } from './timers.ts'

export { stopHiddenTimers } from './hidden-timers.ts'
export { lengthOf, parseDay } from './rules.ts'
export { asEnded } from './store.ts'
export { timeEntries } from './tables.ts'

export const operations = [
  start,
  stop,
  status,
  running,
  report,
  log,
  pause,
  resume,
  list,
  update,
  remove,
] as const
