/**
 * The name of what the browser keeps for use without a connection. Servers on one host share its
 * storage, so the name contains the address of the app.
 */
export const offlineCache = (what: 'pages' | 'data' | 'shared', scope: string) =>
  `corkboard ${what} ${scope}`

export const isOfflineCache = (name: string, scope: string) =>
  name.startsWith('corkboard ') && name.endsWith(` ${scope}`)
