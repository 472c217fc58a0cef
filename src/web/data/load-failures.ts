import { useLayoutEffect, useSyncExternalStore } from 'react'
import { cache } from './cache.ts'
import { ApiError } from './client.ts'

/** Errors that a component already shows beside its own Retry button, with the number of those. */
const shown = new Map<Error, number>()
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

/** The server understood the request and rejected its input: another input helps, not a retry. */
export const isRejected = (error: Error) => error instanceof ApiError && error.status < 500

/** Registers an error as shown, so that the screen does not report it a second time. */
export function useShownError(error: Error | null | undefined) {
  useLayoutEffect(() => {
    if (!error) return
    shown.set(error, (shown.get(error) ?? 0) + 1)
    notify()
    return () => {
      const count = shown.get(error)! - 1
      if (count) shown.set(error, count)
      else shown.delete(error)
      notify()
    }
  }, [error])
}

/**
 * A refusal for lack of permission, or of something that does not exist, is an answer: retrying
 * does not help.
 */
const isFailure = (error: Error) =>
  !(error instanceof ApiError && [401, 403, 404].includes(error.status))

const failedQueries = () =>
  cache.getQueryCache().findAll({
    type: 'active',
    fetchStatus: 'idle',
    predicate: ({ state }) =>
      state.status === 'error' &&
      state.data === undefined &&
      isFailure(state.error!) &&
      !shown.has(state.error!),
  })

function subscribe(listener: () => void) {
  listeners.add(listener)
  const unsubscribe = cache.getQueryCache().subscribe(listener)
  return () => {
    listeners.delete(listener)
    unsubscribe()
  }
}

/** How many queries of the screen failed without any component that says so. */
export const useUnreportedFailures = () =>
  useSyncExternalStore(subscribe, () => failedQueries().length)

export const retryFailures = () => Promise.all(failedQueries().map((query) => query.fetch()))
