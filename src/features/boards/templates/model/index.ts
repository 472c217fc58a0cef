export { templateLines } from './portability.ts'
export { taskTemplates } from './tables.ts'
