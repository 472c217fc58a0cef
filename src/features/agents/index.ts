export { agents } from './tables.ts'

export const operations = [] as const
