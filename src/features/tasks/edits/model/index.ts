export { archiveTask } from './archive.ts'
export { assign, excludeActors, setAssignees } from './assign.ts'
export { createTask } from './create.ts'
export { Edit } from './edit.ts'
export { checkParent, childrenOf, MAX_LEVELS } from './hierarchy.ts'
export { moveTasks } from './move-tasks.ts'
export {
  completeTasks,
  draftTask,
  exportTasks,
  insertTaskLists,
  insertTasks,
  relationLines,
  setParent,
  type TaskDraft,
  TICKETS,
  taskLines,
} from './portability.ts'
export { Draft, draft, MAX_TASKS, revision } from './schema.ts'
export {
  countTasksInSection,
  idsInSection,
  lastRank,
  rankAtEnd,
  syncCompletion,
} from './sections.ts'
export { save, type TaskUpdate, updateDueTime, updateTask } from './update.ts'
