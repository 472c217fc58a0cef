export { receiptOf, toTaskRecord, toTaskRows } from './records.ts'
export { TaskReceipt, TaskRecord, TaskRow } from './schema.ts'
export { inSection, tasksOfSection } from './section.ts'
export { childrenOf, isChild, subtasksOf } from './subtasks.ts'
