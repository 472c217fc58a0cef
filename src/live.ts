import type { Logger } from 'pino'
import { callerAgain, hears, toldSince, unsettles } from './features/callers/index.ts'
import { seenProject } from './features/projects/index.ts'
import type { Caller, Clock } from './kernel/caller.ts'
import { lastSeq } from './store/log.ts'
import type { OpenStore } from './store/store.ts'
import type { Source } from './surfaces/live/index.ts'

/** Knows the change log and who may hear of it, so that the live surface need not. */
export function liveSource(parts: {
  store: OpenStore
  clock: Clock
  log: Logger
  /** Called as long as somebody listens. */
  saw?(caller: Caller): void
}): Source {
  const { store, clock, log, saw } = parts
  return {
    newest: () => store.read(lastSeq),
    since: (seq, limit) => store.read((tx) => toldSince(tx, seq, limit)),
    onCommit: (heard) => store.onCommit(heard),
    async again(caller) {
      const now = await store.read((tx) => callerAgain(tx, caller, clock()))
      saw?.(now)
      return now
    },
    sees: (caller, project_id) =>
      store.read(async (tx) => (await seenProject({ tx, caller }, project_id)) !== undefined),
    hears,
    unsettles,
    failed: (error) => log.error({ err: error }, 'live stream failed'),
  }
}
