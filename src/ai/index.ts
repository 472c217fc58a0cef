export { openAi } from './open.ts'
export { namesAt } from './probe.ts'
export { take } from './take.ts'
export { noModel } from './trouble.ts'
export type {
  Ai,
  Called,
  Ended,
  Endpoint,
  Heard,
  Outcome,
  Said,
  Turn,
} from './types.ts'
