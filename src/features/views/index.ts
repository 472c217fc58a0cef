import { create, get, list, makeDefault, remove, tasks, update } from './operations.ts'

export { defaultViews, views, viewUses } from './tables.ts'

export const operations = [list, get, tasks, create, update, remove, makeDefault] as const
