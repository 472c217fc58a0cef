import { useSyncExternalStore } from 'react'
import { ApiError } from '../kit/errors.ts'
import { isShownError, onShownErrors } from '../kit/shown-errors.ts'
import { cache } from './cache.ts'

/** The server understood the request and rejected its input: another input helps, not a retry. */
export const isRejected = (error: Error) => error instanceof ApiError && error.status < 500

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
      !isShownError(state.error!),
  })

function subscribe(listener: () => void) {
  const stop = onShownErrors(listener)
  const unsubscribe = cache.getQueryCache().subscribe(listener)
  return () => {
    stop()
    unsubscribe()
  }
}

/** The number of failed queries whose error is not shown anywhere on the screen. */
export const useUnreportedFailures = () =>
  useSyncExternalStore(subscribe, () => failedQueries().length)

export const retryFailures = () => Promise.all(failedQueries().map((query) => query.fetch()))
