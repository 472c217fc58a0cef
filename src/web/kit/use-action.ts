import { useState } from 'react'
import { ApiError, errorText } from './errors.ts'

interface Failure {
  text: string
  /** The field that the server refused. */
  field: unknown
}

/**
 * Runs an action; holds whether it is running and why it failed. An action that returns no promise
 * is never busy, so a button that runs it keeps the focus.
 */
export function useAction() {
  const [failure, setFailure] = useState<Failure>()
  const [busy, setBusy] = useState(false)
  const run = async (action: () => unknown) => {
    setFailure(undefined)
    try {
      const result = action()
      if (!(result instanceof Promise)) return
      setBusy(true)
      await result
    } catch (error) {
      const field = error instanceof ApiError ? error.details.field : undefined
      setFailure({ text: errorText(error), field })
    } finally {
      setBusy(false)
    }
  }
  return { busy, error: failure?.text ?? '', errorField: failure?.field, run }
}
