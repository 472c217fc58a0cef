import { basePath } from '../kit/base-path.ts'
import { forgetOfflineCaches } from '../kit/offline-caches.ts'

let isForgotten = false

/** Whether the session has ended. Then this page, which may stay open, must save nothing. */
export const hasForgotten = () => isForgotten

/** For the end of a session. */
export function forgetSaved() {
  isForgotten = true
  if ('caches' in globalThis)
    void forgetOfflineCaches(`${location.origin}${basePath}/`).catch(() => {})
}

/** For a session that goes on, after signing in again. */
export const saveAgain = () => {
  isForgotten = false
}
