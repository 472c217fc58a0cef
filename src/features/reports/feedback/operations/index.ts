import { report } from './feedback.ts'

export const operations = [report] as const
