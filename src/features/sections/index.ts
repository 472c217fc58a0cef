import { create, list } from './operations.ts'

export * from './rules.ts'
export * from './schema.ts'
export * from './store.ts'
export { sections } from './tables.ts'

export const operations = [list, create] as const
