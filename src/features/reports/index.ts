import { create, get, list, remove, update } from './operations.ts'

export { reports } from './tables.ts'

export const operations = [list, get, create, update, remove] as const
