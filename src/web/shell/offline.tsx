import { useEffect, useState, useSyncExternalStore } from 'react'
import { cache } from '../data/cache.ts'
import type { LiveState } from '../data/change-stream.ts'
import { showSaved } from '../data/offline-start.ts'
import { usePausedUntil } from '../data/request-pause.ts'
import {
  discardPendingWrites,
  sendPendingWrites,
  sendRestoredWrites,
  usePendingCount,
} from '../data/write-queue.ts'
import { errorText } from '../kit/errors.ts'
import { locale } from '../kit/locale.ts'
import { showErrorToast, showToast } from '../kit/toasts.tsx'
import { useHasNewerVersion } from '../kit/version.ts'
import { t } from '../messages/t.ts'

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
  useEffect(() => {
    if (isDisconnected) showSaved()
  }, [isDisconnected])
  const message = messageFor(isDisconnected, pendingCount, pausedUntil)
  return (
    <>
      <div className="offline" role="status" hidden={!message}>
        {message && (
          <>
            <span className="words">
              {message} {isDisconnected && <DataTime />}
            </span>
            {!pausedUntil && <ActionButton name={t('shell.retry_now')} run={retryNow} />}
            {pendingCount > 0 && (
              <ActionButton name={t('common.discard')} run={discardPendingWrites} />
            )}
          </>
        )}
      </div>
      <div className="offline newer" role="status" hidden={!isNewer}>
        {isNewer && (
          <>
            <span className="words">{t('shell.corkboard_was_updated_what_you_typed_is')}</span>
            <ActionButton name={t('shell.reload_page')} run={() => location.reload()} />
          </>
        )}
      </div>
    </>
  )
}

/** The reads that make up a screen. */
const CONTENTS: readonly unknown[] = [
  ...['projects.board', 'tasks.get', 'my_tasks.list', 'inbox.list', 'pages.get'],
]

const followCache = (listener: () => void) => cache.getQueryCache().subscribe(listener)

/** When the oldest data on the screen was loaded; 0 without data. */
function oldestShown(): number {
  const shown = cache
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ queryKey: [name] }) => CONTENTS.includes(name) })
    .map(({ state }) => state.dataUpdatedAt)
    .filter((at) => at > 0)
  return shown.length ? Math.min(...shown) : 0
}

function DataTime() {
  const at = useSyncExternalStore(followCache, oldestShown)
  return at ? t('shell.data_from_time', { time: timeText(new Date(at)) }) : null
}

const timeText = (at: Date) =>
  at.toLocaleString(locale, {
    timeStyle: 'short',
    ...(at.toDateString() !== new Date().toDateString() && { dateStyle: 'medium' }),
  })

const ActionButton = ({ name, run }: { name: string; run(): void }) => (
  <button type="button" className="button quiet underlined" onClick={run}>
    {name}
  </button>
)

const RESTORE_CALLBACKS = {
  onSaved: () => showToast(t('shell.saved_the_changes_from_before_the_reload')),
  onRefused(error: unknown, input: object) {
    const text = Object.values(input).find(
      (value): value is string => typeof value === 'string' && value.includes(' '),
    )
    const reason = errorText(error)
    showErrorToast(
      text
        ? t('shell.text_not_saved', { text, error: reason })
        : t('shell.not_saved', { error: reason }),
      text,
    )
  },
}

function messageFor(isDisconnected: boolean, pendingCount: number, pausedUntil: number): string {
  const unsaved = pendingCount ? t('shell.unsaved_changes', { count: pendingCount }) : ''
  if (pausedUntil && !isDisconnected) {
    const at = new Date(pausedUntil).toLocaleTimeString(locale)
    return t('shell.too_many_requests_retrying_at_at_unsaved', { at, unsaved })
  }
  if (!isDisconnected) return unsaved
  return unsaved
    ? t('shell.not_connected_unsaved', { unsaved })
    : t('shell.not_connected_this_page_may_be_out')
}

/** Dispatches the `online` event, so that everything that waits for the network retries now. */
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
