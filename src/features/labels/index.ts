import { create, list, update } from './operations.ts'

export * from './schema.ts'
export * from './store.ts'
export { labels } from './tables.ts'

export const operations = [list, create, update] as const
