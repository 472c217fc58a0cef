export { resolveSorting } from './draft.ts'
export { checkFilters, groupConditions, savedConditions } from './filters.ts'
export { BoardFilters, draft as viewDraft, MANUAL, Match, StoredSorting } from './schema.ts'
export { defaultViews, views, viewUses } from './tables.ts'
