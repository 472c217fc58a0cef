export { reportLines } from './portability.ts'
export { reports } from './tables.ts'
