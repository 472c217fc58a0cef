export { feedbackCounts, feedbackReports } from './tables.ts'
export { feedbackBoard } from './ticket.ts'
