export { gatherContext, gatherSummary } from './gather.ts'
export { Short, Whole } from './schema.ts'
