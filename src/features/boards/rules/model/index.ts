export {
  changeOf,
  claimExecution,
  type Execution,
  finish,
  freeExecutions,
  queuedExecutions,
} from './executions.ts'
export type { Step } from './plan.ts'
export { ruleLines } from './portability.ts'
export { pauseRule, queueExecutions } from './queue.ts'
export type { Outcome } from './schema.ts'
export { type Rule, ruleCaller } from './store.ts'
export { ruleExecutions, rules } from './tables.ts'
