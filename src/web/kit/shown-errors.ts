import { useLayoutEffect } from 'react'

/** Errors that components show beside their own Retry button, with the number of components. */
const shown = new Map<Error, number>()
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

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

export const isShownError = (error: Error) => shown.has(error)

/** Calls the listener when an error begins or ceases to be shown. */
export function onShownErrors(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
