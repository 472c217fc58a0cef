import { remove, status, stop, thread, threads, undo, update } from './chat.ts'
import { reply } from './reply.ts'

export { readBrief, type ThreadBrief } from './brief.ts'
export { callNotFound } from './chat.ts'
export { confirm, retry } from './continue.ts'
export { type StartedAnswer, say } from './turns.ts'

export const operations = [status, threads, thread, update, remove, stop, undo, reply] as const
