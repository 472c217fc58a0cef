import { useEffect, useState } from 'react'
import { retryFailures, useUnreportedFailures } from '../data/load-failures.ts'
import { t } from '../messages/t.ts'

/** A component that shows the error itself does so within this time. */
const DELAY_MS = 300

/** Reports failed requests that no list on the screen reports, and retries them. */
export function LoadFailures() {
  const count = useUnreportedFailures()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!count) return setShown(false)
    const timer = setTimeout(() => setShown(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [count])
  return (
    <div className="offline" role="alert" hidden={!isShown}>
      {isShown && (
        <>
          <span className="words">{t('shell.some_of_this_screen_could_not_be')}</span>
          <button
            type="button"
            className="button quiet underlined"
            onClick={() => void retryFailures()}
          >
            {t('shell.retry')}
          </button>
        </>
      )}
    </div>
  )
}
