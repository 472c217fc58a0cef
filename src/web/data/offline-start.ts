import { cache } from './cache.ts'

/** Browsers offer it only to pages that were loaded over HTTPS, or from this machine. */
const hasStorage = 'caches' in globalThis

/** Shows what was read before, if there is anything. */
export const showSaved = () => {
  if (hasStorage)
    void import('./offline-data.ts').then(
      ({ restoreSaved }) => restoreSaved(),
      () => {},
    )
}

/** Begins with what was read before if the server cannot be reached at the start. */
export function startOffline() {
  if (!navigator.onLine) return showSaved()
  const stop = cache.getQueryCache().subscribe((event) => {
    if (event.query.queryKey[0] !== 'user_context.get' || event.type !== 'updated') return
    const { type } = event.action
    if (type === 'failed') showSaved()
    if (type === 'failed' || type === 'success') stop()
  })
}
