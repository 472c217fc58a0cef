import { useEffect, useState } from 'react'
import type { LiveState } from '../data/change-stream.ts'
import { usePausedUntil } from '../data/request-pause.ts'
import {
  discardPendingWrites,
  sendPendingWrites,
  sendRestoredWrites,
  usePendingCount,
} from '../data/write-queue.ts'
import { errorText } from '../kit/errors.ts'
import { showErrorToast, showToast } from '../kit/toasts.tsx'
import { useHasNewerVersion } from '../kit/version.ts'

/** A shorter interruption is not shown. */
const GRACE_MS = 3000

/** Warns while the data may be outdated or writes are not saved yet. */
export function Offline({ live }: { live: LiveState }) {
  const pendingCount = usePendingCount()
  const isDisconnected = useIsDisconnected(live)
  const pausedUntil = usePausedUntil()
  const isNewer = useHasNewerVersion()
  useEffect(() => {
    if (live === 'live') void sendPendingWrites()
  }, [live])
  useEffect(() => sendRestoredWrites(RESTORE_CALLBACKS), [])
  const message = messageFor(isDisconnected, pendingCount, pausedUntil)
  return (
    <>
      <div className="offline" role="status" hidden={!message}>
        {message && (
          <>
            <span className="words">{message}</span>
            {!pausedUntil && <ActionButton name="Retry now" run={retryNow} />}
            {pendingCount > 0 && <ActionButton name="Discard" run={discardPendingWrites} />}
          </>
        )}
      </div>
      <div className="offline newer" role="status" hidden={!isNewer}>
        {isNewer && (
          <>
            <span className="words">Corkboard was updated. What you typed is kept.</span>
            <ActionButton name="Reload page" run={() => location.reload()} />
          </>
        )}
      </div>
    </>
  )
}

const ActionButton = ({ name, run }: { name: string; run(): void }) => (
  <button type="button" className="button quiet underlined" onClick={run}>
    {name}
  </button>
)

const RESTORE_CALLBACKS = {
  onSaved: () => showToast('Saved the changes from before the reload'),
  onRefused(error: unknown, input: object) {
    const typed = Object.values(input).find(
      (value) => typeof value === 'string' && value.includes(' '),
    )
    showErrorToast(`Not saved${typed ? `: “${typed}”` : ''}. ${errorText(error)}`, typed)
  },
}

function messageFor(isDisconnected: boolean, pendingCount: number, pausedUntil: number): string {
  const changes = pendingCount === 1 ? '1 unsaved change' : `${pendingCount} unsaved changes`
  const unsaved = pendingCount ? `${changes}.` : ''
  if (pausedUntil && !isDisconnected) {
    const at = new Date(pausedUntil).toLocaleTimeString()
    return `Too many requests. Retrying at ${at}. ${unsaved}`
  }
  if (!isDisconnected) return unsaved
  return unsaved
    ? `Not connected. ${unsaved}`
    : 'Not connected. This page may be out of date. Changes are saved when you reconnect.'
}

/** Makes everything that waits for the network retry. */
function retryNow() {
  dispatchEvent(new Event('online'))
}

function useIsDisconnected(live: LiveState): boolean {
  const [isBrowserOffline, setBrowserOffline] = useState(!navigator.onLine)
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const update = () => setBrowserOffline(!navigator.onLine)
    addEventListener('online', update)
    addEventListener('offline', update)
    return () => {
      removeEventListener('online', update)
      removeEventListener('offline', update)
    }
  }, [])
  const isLive = live === 'live'
  useEffect(() => {
    if (isLive) return setLate(false)
    const timer = setTimeout(() => setLate(true), GRACE_MS)
    return () => clearTimeout(timer)
  }, [isLive])
  return isBrowserOffline || isLate
}
