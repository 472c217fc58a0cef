import { create, list, remove } from './operations.ts'

export type { RelationType } from './rules.ts'
export { RelationRow } from './schema.ts'
export { relationConditions, toRelationRows } from './store.ts'

export const operations = [create, list, remove] as const
