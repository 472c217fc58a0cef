import type { Logger } from 'pino'
import { syncRepository } from '../features/code/issues/model/index.ts'
import { dueRepositories } from '../features/code/repositories/model/index.ts'
import type { Clock, Server } from '../kernel/caller.ts'
import type { Dispatch } from '../kernel/dispatch.ts'
import { describeProblem } from '../store/errors.ts'
import type { OpenStore } from '../store/store.ts'

const CYCLE_MS = 1000
/** Repositories that are handled at the same time. */
const PARALLEL = 4

interface CodeHostOptions {
  store: OpenStore
  server: Server
  clock: Clock
  log: Logger
  dispatch: Dispatch
  /** Milliseconds between two passes. */
  cycle?: number
}

/** Synchronizes linked repositories until the returned function is called. */
export function startCodeHosts(options: CodeHostOptions): () => Promise<void> {
  const { store, clock, log } = options
  let isStopped = false
  let pass: Promise<void> | undefined
  const onError = (error: unknown) => {
    if (!isStopped)
      log.error({ err: error }, `Synchronizing a repository failed: ${describeProblem(error)}`)
  }
  const runPass = async () => {
    const due = await store.read((tx) => dueRepositories(tx, clock(), PARALLEL))
    await Promise.all(
      due.map((id) => syncRepository(options, id, { onError, isStopped: () => isStopped })),
    )
  }
  const wake = () => {
    if (isStopped || pass) return
    pass = runPass()
      .catch(onError)
      .finally(() => {
        pass = undefined
      })
  }
  const timer = setInterval(wake, options.cycle ?? CYCLE_MS)
  wake()
  return async () => {
    isStopped = true
    clearInterval(timer)
    await pass
  }
}
