import { remove, status, stop, thread, threads, undo, update } from './operations.ts'
import { reply } from './reply.ts'

export { changeCall, type End, endAnswer, isAnswering, saveAnswer } from './answers.ts'
export { readBrief, type ThreadBrief } from './brief.ts'
export { confirm, retry } from './continue.ts'
export { callNotFound } from './operations.ts'
export { INTERRUPTED, interruptedParts, isCall, isDead, publicPart } from './rules.ts'
export type { Call, ChatEvent, StoredCall, StoredPart, Trouble } from './schema.ts'
export type { MessageRef, Row } from './store.ts'
export { chatMessages, chatThreads } from './tables.ts'
export { type StartedAnswer, say } from './turns.ts'

export const operations = [status, threads, thread, update, remove, stop, undo, reply] as const
