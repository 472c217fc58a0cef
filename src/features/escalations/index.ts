import { create, list, resolve } from './operations.ts'

export { escalations } from './tables.ts'

export const operations = [create, list, resolve] as const
