export { gatherContext, gatherSummary } from './gather.ts'
export { TaskContext, TaskSummary } from './schema.ts'
