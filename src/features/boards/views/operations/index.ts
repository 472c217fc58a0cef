import { create, get, list, makeDefault, remove, tasks, update } from './views.ts'

export const operations = [list, get, tasks, create, update, remove, makeDefault] as const
