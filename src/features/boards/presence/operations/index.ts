import { report } from './report.ts'

export const operations = [report] as const
