import { report } from './operations.ts'

export const operations = [report] as const
