import { updateMany } from './bulk.ts'
import { removeField, updateField } from './custom/definitions.ts'
import { setField } from './custom/set.ts'
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
  type Located,
  locateTask,
  lockTask,
  refuseDeleted,
  type Task,
  taskById,
  taskByTicket,
  tasksById,
} from './address.ts'
export { archiveTask } from './archive.ts'
export { checkMayAssignAgent } from './assign.ts'
export { assigneesOf, openTasksOfCaller, participantIds, timeZoneColumn } from './assignees.ts'
export {
  countTasksInSection,
  idsInSection,
  summaryColumns,
  syncCompletion,
  tasksOfSection,
} from './columns.ts'
export {
  hasPages,
  isFinished,
  isLeased,
  isRepeating,
  isScheduled,
  isUnleased,
  needsReminder,
  urgencyOf,
} from './conditions.ts'
export { countsOf, deleteCount, rebuildCounts } from './counts.ts'
export { createTask } from './create.ts'
export { updateDerivedColumns } from './derived.ts'
export {
  type CleanString,
  cleanStoredText,
  cleanText,
  type DescriptionInput,
  prepareDescription,
} from './description/descriptions.ts'
export { convertTexts } from './description/formats.ts'
export { descriptionVersions } from './description/tables.ts'
export { shiftDueTimes } from './due-times.ts'
export { attachFiles, dropAttachments } from './files.ts'
export { isBlocked, isUnblocked } from './find/blocked.ts'
export {
  conditionForMissingField,
  fieldExists,
  OPS,
  type Rule,
  ruleCondition,
} from './find/criteria.ts'
export {
  filterRules,
  parseSince,
  searchTasks,
  selectionOf,
  type TaskSearch,
} from './find/filters.ts'
export { filters as taskFilters, sort as taskSort, TASK_SORTS } from './find/input.ts'
export { pageOfTasks } from './find/pages.ts'
export { findActorIds } from './find/references.ts'
export { inScope, onBoards, type Scope, scopeOf } from './find/scope.ts'
export { checkMode, MAX_MODES, SORTING_MODES, type Sorting, sortKeysOf } from './find/sorts.ts'
export { type Hit, MAX_HITS } from './find/text-search.ts'
export { recordImportedMoves } from './flow/moves.ts'
export { taskMoves } from './flow/tables.ts'
export { childrenOf } from './hierarchy.ts'
export { labelsOn } from './labels.ts'
export { type Lease, leaseOf } from './lease/current.ts'
export { leases } from './lease/tables.ts'
export { moveTasks } from './move-tasks.ts'
export { receiptOf, type TaskSummary, toTaskRecord, toTaskRows } from './records.ts'
export { type DateRange, dayNumber, occurrencesBetween, ZoneDays } from './repeat/between.ts'
export type { Series } from './repeat/rules.ts'
export { type RecurrencePlan, recurrencePlan } from './repeat/upcoming.ts'
export type { PrBadge, Recurrence } from './rules.ts'
export {
  dueAt,
  isDay,
  isOpen,
  isOverdue,
  isSnoozed,
  normalizeDate,
  priorityName,
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
export {
  backfillIndex,
  indexTask,
  indexTextOf,
  inspectIndex,
  resetBackfill,
} from './search-index.ts'
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
export { subtasksOf } from './tree.ts'
export { unassignOpenTasks } from './unassign.ts'
export { updateTask } from './update.ts'
export { onVisibleTask } from './visible.ts'

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
