import { t } from '../../../messages/t.ts'
import { SettingRow } from '../parts.tsx'
import type { Channel } from './data.ts'
import { type PushState, usePush } from './push.ts'

const HINTS: Record<PushState, string | undefined> = {
  unsupported: t('settings.this_browser_cannot_show_notifications'),
  needs_home_screen: t('settings.add_corkboard_to_the_home_screen_first'),
  denied: t('settings.your_browser_blocks_notifications'),
  off: undefined,
  on: undefined,
}

/** Asks for the permission to show notifications only when the button is pressed. */
export function ThisBrowser({ channels }: { channels: readonly Channel[] }) {
  const { state, busy, error, turnOn } = usePush(channels)
  const isBlocked = state !== 'off' && state !== 'on'
  return (
    <SettingRow label={t('settings.this_browser')} hint={HINTS[state]}>
      {state === 'on' ? (
        <p className="status good">{t('settings.shows_your_notifications')}</p>
      ) : (
        <button
          type="button"
          className="button plain"
          disabled={busy || isBlocked}
          onClick={() => void turnOn()}
        >
          {t('settings.notify_this_browser')}
        </button>
      )}
      {error && (
        <p className="form-error" role="alert">
          {error}
        </p>
      )}
    </SettingRow>
  )
}
