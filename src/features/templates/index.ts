import { apply, create, list, remove } from './operations.ts'

export { taskTemplates } from './tables.ts'

export const operations = [list, create, remove, apply] as const
