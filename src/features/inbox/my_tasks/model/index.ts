export { myViewLines } from './portability.ts'
export { myViews } from './tables.ts'
