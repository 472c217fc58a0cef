import { add, changedView, createdView, deletedView, groups, list, views } from './operations.ts'

export { myViews } from './tables.ts'

export const operations = [
  ...[list, groups, add],
  ...[views, createdView, changedView, deletedView],
] as const
