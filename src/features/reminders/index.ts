export { archivings } from './archive.ts'
export { reminding } from './remind.ts'
export { onward, type Sweep } from './sweep.ts'
