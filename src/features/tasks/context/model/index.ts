export { gatherContext } from './gather.ts'
export { TaskContext, TaskSummary } from './schema.ts'
export { gatherSummary } from './summary.ts'
