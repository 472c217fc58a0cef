export { labels } from './tables.ts'

export const operations = [] as const
