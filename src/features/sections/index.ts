export { sections } from './tables.ts'

export const operations = [] as const
