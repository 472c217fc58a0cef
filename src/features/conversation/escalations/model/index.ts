export { escalationLines } from './portability.ts'
export { escalations } from './tables.ts'
