export { isBlocked, isBlocking, isUnblocked, openAmong } from './blocked.ts'
export type { RelationType } from './rules.ts'
export { RelationRow } from './schema.ts'
export {
  countRelations,
  deleteRelationsOf,
  link,
  lockRelations,
  relatedTasks,
  relationsOfTasks,
} from './store.ts'
export { relations } from './tables.ts'
