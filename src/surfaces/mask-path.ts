/** Path segments that are followed by a secret. */
const SECRET_PARENTS = ['answers', 'calendar', 'email', 'invitations', 'password', 'unsubscribe']

/**
 * Removes secrets from a path before it is logged. Paths without a matching route are masked too:
 * they may be a correct address with another method, or one with a small typing error.
 */
export function maskPath(path: string, route: string): string {
  if (route.startsWith('/api/')) return path
  const parts = decodePercent(path).split(/[/\\]+/)
  const index = parts.findIndex((part) => SECRET_PARENTS.includes(part.toLowerCase()))
  const isSecret = index >= 0 && parts.slice(index + 1).some((part) => part !== '')
  return isSecret ? [...parts.slice(0, index + 1), ':token'].join('/') : path
}

/** Decodes byte by byte, so that malformed sequences do not throw. */
const decodePercent = (path: string) =>
  path.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
