export { archivings } from './archive.ts'
export { reminding } from './remind.ts'
export type { Sweep } from './sweep.ts'
