import { create } from './operations.ts'

export * from './store.ts'
export { agents } from './tables.ts'

export const operations = [create] as const
