export {
  type Located,
  locateTask,
  lockTask,
  refuseDeleted,
  type Task,
  taskById,
  taskByTicket,
  taskIdOf,
  tasksById,
  ticketKey,
} from './address.ts'
export {
  addToCount,
  countOnBoard,
  countOnBoards,
  countsOf,
  deleteCount,
  rebuildCounts,
  updateCounts,
} from './counts.ts'
export { updateDerivedColumns } from './derived.ts'
export { hasNewPlace, type TaskPlace } from './place.ts'
export { resolveTaskIds } from './references.ts'
export { type Address, address, ContentType, TaskId, TaskStatus, TicketNumber } from './schema.ts'
export { summaryColumns, type TaskSummary } from './summary.ts'
export { formerTickets, placeColumns, sectionCounts, tasks } from './tables.ts'
export { onVisibleTask } from './visible.ts'
