export { syncRepository } from './pass.ts'
export { countIssues, queueIssues, requestIssueOf } from './queue.ts'
export { forgetIssue } from './sync.ts'
export { issueComments, issues } from './tables.ts'
