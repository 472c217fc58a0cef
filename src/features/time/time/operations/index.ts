import { list, log, remove, running, update } from './entries.ts'
import { report } from './report.ts'
import { pause, resume, start, status, stop } from './timers.ts'

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
