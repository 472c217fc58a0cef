import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { Refused, wordsOf } from '../data/client.ts'
import { WayOn } from '../parts/missing.tsx'
import { useEarlyKeys } from './keys.ts'

const WAIT_MS = 300

interface Props {
  ticket: string
  error: Error | null
  onClose?: () => void
  onNext?: (step: 1 | -1) => void
  /** What is asked of the task before it is there. */
  early?: RefObject<string | undefined>
  children?: ReactNode
}

/** The shape of a task that is on its way, or why it does not come. */
export function Shape({ ticket, error, onClose, onNext, early, children }: Props) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), WAIT_MS)
    return () => clearTimeout(timer)
  }, [])
  useEarlyKeys({ close: onClose, next: onNext, early })
  return (
    <div className="task" aria-busy={!error}>
      <div className="task-head">
        <span className="end">{children}</span>
      </div>
      {error ? (
        <Missing ticket={ticket} error={error} />
      ) : (
        isLate && (
          <div className="task-body shape" role="status">
            <span className="unseen">Loading the task</span>
            <i />
            <i />
            <i />
            <i />
          </div>
        )
      )}
    </div>
  )
}

function Missing({ ticket, error }: { ticket: string; error: Error }) {
  const isUnknown = error instanceof Refused && (error.status === 403 || error.status === 404)
  return (
    <div className="missing" role="alert">
      <h1>{isUnknown ? `There is no task ${ticket} here` : `${ticket} cannot be shown`}</h1>
      <p>
        {isUnknown
          ? 'It may be on a board that you cannot see, or its key is another one.'
          : wordsOf(error)}
      </p>
      <WayOn {...{ isUnknown, error }} />
    </div>
  )
}
