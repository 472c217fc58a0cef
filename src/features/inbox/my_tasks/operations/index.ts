import { add, addView, groups, list, removeView, updateView, views } from './my-tasks.ts'

export const operations = [list, groups, add, views, addView, updateView, removeView] as const
