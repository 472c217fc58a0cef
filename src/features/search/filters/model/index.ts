export {
  conditionForMissingField,
  FILTER_FIELDS,
  fieldExists,
  OPS,
  type Rule,
  ruleCondition,
} from './criteria.ts'
export {
  filterRules,
  filtersManyTasks,
  parseSince,
  questionConditions,
  searchTasks,
  selectionOf,
  selectTasks,
  type TaskSearch,
} from './filters.ts'
export { filters as taskFilters, sort as taskSort, TASK_SORTS } from './input.ts'
export { findLinked } from './linked.ts'
export { fieldOperatorNames, OPERATOR_NAMES } from './operators.ts'
export { pageOfTasks } from './pages.ts'
export { findActorIds } from './references.ts'
export { inScope, onBoards, type Scope, scopeOf } from './scope.ts'
export { checkMode, MAX_MODES, SORTING_MODES, type Sorting, sortKeysOf } from './sorts.ts'
export { type Hit, MAX_HITS } from './text-search.ts'
