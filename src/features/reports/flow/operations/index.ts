import { report } from './flow.ts'

export const operations = [report] as const
