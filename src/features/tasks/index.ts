import { updateMany } from './bulk.ts'
import { setField } from './custom/set.ts'
import { removeField, updateField } from './custom/upkeep.ts'
import { restore, versions } from './description/versions.ts'
import { assign, create, get, list, move, update } from './operations.ts'
import { tree } from './tree.ts'

export {
  heldTask,
  type Located,
  locateTask,
  type Task,
  taskById,
  tasksById,
  ticketOf,
} from './address.ts'
export { checkOwner } from './assign.ts'
export { assigneesOf } from './assignees.ts'
export {
  countInSection,
  idsInSection,
  listed,
  moveAllTasks,
  recount,
  tasksOfSection,
} from './columns.ts'
export { countAnew, countsOf } from './counts.ts'
export { createTask } from './create.ts'
export { cleaned, type Described, described } from './description/descriptions.ts'
export { inFormat } from './description/formats.ts'
export { attachFiles, dropAttachments } from './files.ts'
export { isFree } from './find/blocked.ts'
export { criterion, isField, OPS, ofNothing, type Rule } from './find/criteria.ts'
export { chosenBy, readSince, type Sought, soughtTasks } from './find/filters.ts'
export { type Hit, MOST_HITS } from './find/matching.ts'
export { pageOfTasks } from './find/pages.ts'
export { actorsMeant } from './find/referents.ts'
export { onBoards, type Scope, scopeOf, within } from './find/scope.ts'
export { checkMode, keysOf, MOST_MODES, SORTING_MODES, type Sorting } from './find/sorts.ts'
export { filters as taskFilters, sort as taskSort } from './find/wanted.ts'
export { handBack } from './handback.ts'
export { type Lease, leaseOf } from './lease/held.ts'
export { leases } from './lease/tables.ts'
export { noteOn } from './notes.ts'
export { type Listed, shownRecord, shownTasks } from './records.ts'
export type { PrBadge } from './rules.ts'
export { priorityName, sizeOf } from './rules.ts'
export { type Address, address, draft, LabelRef, TaskRecord, TaskRow } from './schema.ts'
export { aboutSeenTask } from './seen.ts'
export {
  descriptionVersions,
  formerTickets,
  hasPages,
  isTaken,
  isUntaken,
  relations,
  sectionCounts,
  taskAssignees,
  taskFields,
  taskLabels,
  taskMentions,
  tasks,
  urgencyOf,
} from './tables.ts'
export { forgetSweep, inspectTexts, keepText, sweepTexts } from './texts.ts'
export { subtasksOf } from './tree.ts'
export { updateTask } from './update.ts'

export const operations = [
  list,
  get,
  create,
  update,
  updateMany,
  move,
  assign,
  tree,
  versions,
  restore,
  setField,
  updateField,
  removeField,
] as const
