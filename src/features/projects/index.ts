import { list } from './operations.ts'

export * from './store.ts'
export { projectMembers, projects } from './tables.ts'

export const operations = [list] as const
