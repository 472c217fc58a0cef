/**
 * The name of what the browser keeps for use without a connection. Servers on one host share its
 * storage, so the name contains the address of the app.
 */
export const offlineCache = (what: string, scope: string) => `corkboard ${what} ${scope}`

/** Deletes everything of the person who signs out. */
export async function forgetOfflineCaches(scope: string): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith('corkboard ') && name.endsWith(` ${scope}`)) await caches.delete(name)
}
