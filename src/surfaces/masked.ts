/** What comes after one of these in an address may be a secret. */
const KEEPERS = ['calendar', 'invitations', 'unsubscribe']

/**
 * A path as the log may hold it: a secret that stands in it stays out. Also where no route fits,
 * for that may be the right address asked with another method, or written a little wrong.
 */
export function masked(path: string, route: string): string {
  if (route.startsWith('/api/')) return path
  const parts = decoded(path).split(/[/\\]+/)
  const at = parts.findIndex((part) => KEEPERS.includes(part.toLowerCase()))
  const isSecret = at >= 0 && parts.slice(at + 1).some((part) => part !== '')
  return isSecret ? [...parts.slice(0, at + 1), ':token'].join('/') : path
}

/** Whatever is torn in it. */
const decoded = (path: string) =>
  path.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
