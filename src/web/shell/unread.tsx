import { useEffect, useState } from 'react'
import { useOperation } from '../data/cache.ts'
import { setTabCount } from '../kit/title.ts'
import { t } from '../messages/t.ts'
import './unread.css'

/** Loads after the data of the screen. */
const DELAY_MS = 500

/** The icon of the installed app has a badge. */
const isInstalled = matchMedia('(display-mode: standalone)').matches

/** The number of unread important notifications, beside the inbox and in the tab title. */
export function Unread() {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  const { data } = useOperation('inbox.summary', {}, { enabled: isReady })
  const count = data?.important ?? 0
  useEffect(() => {
    setTabCount(count)
    if (isInstalled) void navigator.setAppBadge?.(data?.unread ?? 0)
  }, [count, data?.unread])
  if (!count) return null
  return (
    <span className="unread">
      {count}
      <span className="unseen"> {t('shell.unread')}</span>
    </span>
  )
}
