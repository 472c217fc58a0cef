export { noModel } from './errors.ts'
export { openModel } from './open.ts'
export { listModels } from './probe.ts'
export { runTurn } from './turn.ts'
export type {
  CallOutcome,
  Endpoint,
  HistoryMessage,
  Model,
  ModelPrice,
  ToolCall,
  Turn,
  TurnEnd,
  TurnEvent,
} from './types.ts'
