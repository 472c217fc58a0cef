import { remove, status, stop, thread, threads, undo, update } from './operations.ts'
import { reply } from './reply.ts'

export { again, confirm } from './again.ts'
export { type Brief, brief } from './brief.ts'
export { changeCall, type End, endAnswer, isAnswering, keepAnswer } from './keep.ts'
export { callUnknown } from './operations.ts'
export { broken, INTERRUPTED, isCall, isDead, shownPart } from './rules.ts'
export type { Call, ChatEvent, Kept, KeptCall, Trouble } from './schema.ts'
export type { Row, Spot } from './store.ts'
export { chatMessages, chatThreads } from './tables.ts'
export { type Begun, say } from './turns.ts'

export const operations = [status, threads, thread, update, remove, stop, undo, reply] as const
