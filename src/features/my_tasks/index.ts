import { add, addView, groups, list, removeView, updateView, views } from './operations.ts'

export { myViews } from './tables.ts'

export const operations = [
  ...[list, groups, add],
  ...[views, addView, updateView, removeView],
] as const
