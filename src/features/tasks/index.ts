import { updateMany } from './bulk.ts'
import { setField } from './custom/set.ts'
import { removeField, updateField } from './custom/upkeep.ts'
import { restore, versions } from './description/versions.ts'
import { assign, create, get, list, move, update } from './operations.ts'
import { place } from './place.ts'
import { setRecurrence, setStartDate } from './repeat/routes.ts'
import { assignTo, unassign } from './several/assign.ts'
import { createMany } from './several/create.ts'
import { addLabel, removeLabel } from './several/labels.ts'
import { snooze } from './snooze.ts'
import { tree } from './tree.ts'

export {
  heldTask,
  type Located,
  locateTask,
  refuseDeleted,
  type Task,
  taskById,
  tasksById,
  ticketOf,
} from './address.ts'
export { checkOwner } from './assign.ts'
export { assigneesOf, concernedWith, heldOpen, zoneIn } from './assignees.ts'
export { archiveTask } from './away.ts'
export {
  countInSection,
  idsInSection,
  listed,
  recount,
  tasksOfSection,
} from './columns.ts'
export { countAnew, countsOf, dropCount } from './counts.ts'
export { createTask } from './create.ts'
export {
  type Clean,
  cleaned,
  cleanedIn,
  type Described,
  described,
} from './description/descriptions.ts'
export { inFormat } from './description/formats.ts'
export { descriptionVersions } from './description/tables.ts'
export { childrenOf } from './family.ts'
export { attachFiles, dropAttachments } from './files.ts'
export { isBlocked, isFree } from './find/blocked.ts'
export { criterion, isField, OPS, ofNothing, type Rule } from './find/criteria.ts'
export { chosenBy, readSince, rulesOf, type Sought, soughtTasks } from './find/filters.ts'
export { type Hit, MOST_HITS } from './find/matching.ts'
export { pageOfTasks } from './find/pages.ts'
export { actorsMeant } from './find/referents.ts'
export { onBoards, type Scope, scopeOf, within } from './find/scope.ts'
export { checkMode, keysOf, MOST_MODES, SORTING_MODES, type Sorting } from './find/sorts.ts'
export { filters as taskFilters, sort as taskSort, TASK_SORTS } from './find/wanted.ts'
export { beginMoves } from './flow/moves.ts'
export { taskMoves } from './flow/tables.ts'
export { handBack } from './handback.ts'
export { labelsOn } from './labels.ts'
export { type Lease, leaseOf } from './lease/held.ts'
export { leases } from './lease/tables.ts'
export { moveTasks } from './merge.ts'
export { noteOn } from './notes.ts'
export { type Listed, receiptOf, shownRecord, shownTasks } from './records.ts'
export { type Course, courseOf } from './repeat/coming.ts'
export { type Between, comingBetween, dayNumber, ZoneDays } from './repeat/counted.ts'
export type { Series } from './repeat/rules.ts'
export type { PrBadge, Recurrence } from './rules.ts'
export {
  dueAt,
  isDay,
  isOpen,
  isOverdue,
  isSnoozed,
  priorityName,
  readDate,
  sizeOf,
  startOf,
} from './rules.ts'
export {
  type Address,
  address,
  draft,
  LabelRef,
  TaskId,
  TaskReceipt,
  TaskRecord,
  TaskRow,
} from './schema.ts'
export { aboutSeenTask } from './seen.ts'
export {
  formerTickets,
  relations,
  sectionCounts,
  taskAssignees,
  taskFields,
  taskLabels,
  taskMentions,
  tasks,
} from './tables.ts'
export { forgetSweep, inspectTexts, keepText, sweepTexts, textOf } from './texts.ts'
export { subtasksOf } from './tree.ts'
export { updateTask } from './update.ts'
export {
  hasPages,
  isComing,
  isFinished,
  isRepeating,
  isTaken,
  isUnreminded,
  isUntaken,
  urgencyOf,
} from './waiting.ts'
export { moveDays } from './zone.ts'

export const operations = [
  list,
  get,
  create,
  update,
  createMany,
  updateMany,
  addLabel,
  removeLabel,
  move,
  assign,
  assignTo,
  unassign,
  setStartDate,
  setRecurrence,
  snooze,
  place,
  tree,
  versions,
  restore,
  setField,
  updateField,
  removeField,
] as const
