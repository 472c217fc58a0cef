import type { Logger } from 'pino'
import { findVisibleProject } from '../features/boards/projects/model/index.ts'
import {
  canSeeChange,
  changesWithActors,
  mayChangeVisibility,
  refreshCaller,
} from '../features/identity/callers/model/index.ts'
import type { Caller, Clock } from '../kernel/caller.ts'
import type { Signals } from '../kernel/services.ts'
import { lastSeq } from '../store/log.ts'
import type { OpenStore } from '../store/store.ts'
import type { Source } from '../surfaces/live/index.ts'

/** Gives the live streams the change log and the access checks of the features. */
export function liveSource(parts: {
  store: OpenStore
  clock: Clock
  log: Logger
  signals: Signals
  /** Called whenever the caller of an open stream is looked up again. */
  markSeen?(caller: Caller): void
}): Source {
  const { store, clock, log, signals, markSeen } = parts
  return {
    lastSeq: () => store.read(lastSeq),
    async changesSince(seq, limit) {
      const changes = await store.read((tx) => changesWithActors(tx, seq, limit))
      // Read after the changes, so that it includes them.
      const position = changes.length && (await store.replicas?.position().catch(() => undefined))
      return position ? changes.map((change) => ({ ...change, position })) : changes
    },
    onCommit: (listener) => store.onCommit(listener),
    onSignal: (listener) => signals.subscribe(listener),
    async refreshCaller(caller) {
      const refreshed = await store.read((tx) => refreshCaller(tx, caller, clock()))
      markSeen?.(refreshed)
      return refreshed
    },
    canSeeBoard: (caller, project_id) =>
      store.read(
        async (tx) => (await findVisibleProject({ tx, caller }, project_id)) !== undefined,
      ),
    canHear: canSeeChange,
    mayChangeAccess: mayChangeVisibility,
    onError: (error) => log.error({ err: error }, 'live stream failed'),
  }
}
