import { useState } from 'react'
import { errorText } from './errors.ts'

/** Runs the action of a form; holds whether it is running and the text of its error. */
export function useAction() {
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const run = async (action: () => unknown) => {
    setBusy(true)
    setError('')
    try {
      await action()
    } catch (failure) {
      setError(errorText(failure))
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, setError, run }
}
