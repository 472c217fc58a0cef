import type { Logger } from 'pino'
import { callerAgain, hears, toldSince } from './features/callers/index.ts'
import { seenProject } from './features/projects/index.ts'
import type { Clock } from './kernel/caller.ts'
import { lastSeq } from './store/log.ts'
import type { OpenStore } from './store/store.ts'
import type { Source } from './surfaces/live/index.ts'

/** Knows the change log and who may hear of it, so that the live surface need not. */
export function liveSource(parts: { store: OpenStore; clock: Clock; log: Logger }): Source {
  const { store, clock, log } = parts
  return {
    newest: () => store.read(lastSeq),
    since: (seq, limit) => store.read((tx) => toldSince(tx, seq, limit)),
    onCommit: (heard) => store.onCommit(heard),
    again: (caller) => store.read((tx) => callerAgain(tx, caller, clock())),
    sees: (caller, project_id) =>
      store.read(async (tx) => (await seenProject({ tx, caller }, project_id)) !== undefined),
    hears,
    failed: (error) => log.error({ err: error }, 'live stream failed'),
  }
}
