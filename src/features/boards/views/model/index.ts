export { resolveSorting } from './draft.ts'
export { checkFilters, groupConditions, savedConditions } from './filters.ts'
export { BoardFilters, draft as viewDraft, Kept as KeptSorting, MANUAL, Match } from './schema.ts'
export { defaultViews, views, viewUses } from './tables.ts'
