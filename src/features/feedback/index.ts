import { report } from './operations.ts'

export { feedbackCounts, feedbackReports } from './tables.ts'
export { feedbackBoard } from './ticket.ts'

export const operations = [report] as const
