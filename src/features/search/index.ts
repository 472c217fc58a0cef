import { tasks } from './operations.ts'

export { wordLearner } from './hints.ts'
export { searchWords } from './tables.ts'

export const operations = [tasks] as const
