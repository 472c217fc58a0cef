import { create, get, list, prompt, stop, update } from './runs.ts'
import { list as listSessions, transcripts as listTranscripts } from './sessions.ts'
import { append, transcript } from './transcripts.ts'

export const operations = [
  create,
  list,
  get,
  update,
  prompt,
  stop,
  append,
  transcript,
  listSessions,
  listTranscripts,
] as const
