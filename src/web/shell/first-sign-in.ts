import { useEffect } from 'react'
import { cache, queryKeyOf } from '../data/cache.ts'
import { sendWrite } from '../data/write-queue.ts'
import type { Me } from '../entities/user/me.ts'
import { basePath } from '../kit/base-path.ts'
import { showError, showToast } from '../kit/toasts.tsx'
import { t } from '../messages/t.ts'
import { requestTour } from './tour/request.ts'

const FIRST_SIGN_IN = /(?:^|; )cork_first=yes/
const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * On the first sign-in, requests the tour and sets the time zone of the browser, unless the user has
 * chosen one.
 */
export function useFirstSignIn({ profile, server }: Me) {
  const currentZone = profile.time_zone
  const isUnset = currentZone === server.time_zone && currentZone !== browserZone
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with the initial values
  useEffect(() => {
    if (!FIRST_SIGN_IN.test(document.cookie)) return
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not available in every browser
    document.cookie = `cork_first=; Path=${basePath || '/'}; Max-Age=0; SameSite=Lax`
    requestTour()
    if (isUnset) void saveTimeZone(browserZone, () => saveTimeZone(currentZone)).catch(showError)
  }, [])
}

async function saveTimeZone(time_zone: string, undo?: () => Promise<void>) {
  await sendWrite('user_context.update_profile', { time_zone })
  await cache.invalidateQueries({ queryKey: queryKeyOf('user_context.get', {}) })
  const undoAction = undo && (() => void undo().catch(showError))
  const name = time_zone.replaceAll('_', ' ')
  const message = undo
    ? t('shell.time_zone_set_as_in_browser', { name })
    : t('shell.time_zone_set', { name })
  showToast(message, undoAction)
}
