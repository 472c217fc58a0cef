import { create, get, list, prompt, stop, update } from './operations.ts'
import * as sessions from './sessions.ts'
import { append, transcript } from './transcripts.ts'

export * from './native.ts'
export { queueRuns } from './queue.ts'
export type { Run } from './store.ts'
export { runEntries, runs } from './tables.ts'

export const operations = [
  create,
  list,
  get,
  update,
  prompt,
  stop,
  append,
  transcript,
  sessions.list,
  sessions.transcripts,
] as const
