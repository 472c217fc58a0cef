import { assign, create, get, list, move, update } from './operations.ts'

export { checkOwner } from './assign.ts'
export { countInSection, moveAllTasks, recount, tasksOfSection } from './columns.ts'
export { countAnew, countsOf } from './counts.ts'
export { createTask } from './create.ts'
export { noteOn } from './notes.ts'
export { draft, TaskRow } from './schema.ts'
export {
  descriptionVersions,
  formerTickets,
  type PrBadge,
  relations,
  sectionCounts,
  taskAssignees,
  taskFields,
  taskLabels,
  tasks,
} from './tables.ts'

export const operations = [list, get, create, update, move, assign] as const
