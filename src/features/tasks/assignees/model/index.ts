export { checkMayAssignAgent, checkMayHandOver } from './access.ts'
export {
  type AssigneeChanges,
  assigneesOf,
  autoAssignees,
  dueTime,
  emitAssigneeChanges,
  hasAssignee,
  openTasksIfFew,
  openTasksOfCaller,
  participantIds,
  replaceAssignees,
  resolveAssignees,
  syncAssigneeRows,
  tasksAssignedToCaller,
  timeZoneColumn,
  timeZoneOf,
  uniqueActors,
  withBoardAccess,
} from './assignees.ts'
export { shiftDueTimes } from './due-times.ts'
export { taskAssignees } from './tables.ts'
export { unassignOpenTasks } from './unassign.ts'
