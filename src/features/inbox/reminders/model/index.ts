export { archiveSweeps } from './archive.ts'
export { reminderSweeps } from './remind.ts'
export { nextCursor, type Sweep } from './sweep.ts'
