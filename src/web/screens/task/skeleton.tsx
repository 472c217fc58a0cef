import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { ApiError, errorText } from '../../kit/errors.ts'
import { RecoveryAction } from '../../kit/recovery-action.tsx'
import { t } from '../../messages/t.ts'
import { useEarlyKeys } from './keys.ts'

const DELAY_MS = 300

interface Props {
  ticket: string
  error: Error | null
  onClose?: () => void
  onNext?: (step: 1 | -1) => void
  /** Records a key pressed before the task has loaded. */
  pendingKey?: RefObject<string | undefined>
  children?: ReactNode
}

/** A placeholder while a task loads, or the error if it cannot be loaded. */
export function TaskSkeleton({ ticket, error, onClose, onNext, pendingKey, children }: Props) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  useEarlyKeys({ close: onClose, next: onNext, pendingKey })
  return (
    <div className="task fill" aria-busy={!error}>
      <div className="task-head">
        <span className="end">{children}</span>
      </div>
      {error ? (
        <Missing ticket={ticket} error={error} />
      ) : (
        isSlow && (
          <div className="task-body scroller shape" role="status">
            <span className="unseen">{t('common.loading')}</span>
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
  const isUnknown = error instanceof ApiError && (error.status === 403 || error.status === 404)
  return (
    <div className="missing" role="alert">
      <h1>
        {isUnknown
          ? t('task.task_ticket_not_found', { ticket })
          : t('task.could_not_load_ticket', { ticket })}
      </h1>
      <p>{isUnknown ? t('task.the_key_may_be_wrong_or_you') : errorText(error)}</p>
      <RecoveryAction {...{ isUnknown, error }} />
    </div>
  )
}
