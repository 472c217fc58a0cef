/** The protected resources of this server, with the paths that a token for each of them opens. */
const RESOURCES: Record<string, readonly string[] | undefined> = {
  '/mcp': ['/mcp', '/mcp/readonly', '/sse', '/message'],
  '/mcp/readonly': ['/mcp/readonly'],
  '/sse': ['/sse', '/message'],
  /** Everything. */
  '': undefined,
}

export const MCP_RESOURCE = '/mcp'

/** The paths of the protected resources, each below the address of the server. */
export const RESOURCE_PATHS = Object.keys(RESOURCES)

/** The resource that a path belongs to. The challenge of a refused request names it. */
export const resourceOfPath = (path: string): string =>
  path === '/message' ? '/sse' : path !== '' && path in RESOURCES ? path : ''

/** The canonical address of a requested resource; undefined if this server does not have it. */
export function canonicalResource(requested: string, url: string): string | undefined {
  const parsed = URL.parse(requested)
  if (!parsed || requested.includes('#') || parsed.search || parsed.username || parsed.password)
    return undefined
  const address = withoutSlash(`${parsed.origin}${parsed.pathname}`)
  const base = withoutSlash(new URL(url).href)
  const path = RESOURCE_PATHS.find((known) => address === base + known)
  return path === undefined ? undefined : url + path
}

const withoutSlash = (address: string) => address.replace(/\/$/, '')

/** The path of a resource of this server; undefined if the address is not one. */
export function resourcePath(audience: string, url: string): string | undefined {
  const path = audience.startsWith(url) ? audience.slice(url.length) : undefined
  return path !== undefined && path in RESOURCES ? path : undefined
}

/** Whether a token for this audience may be used at a path of this server. */
export function isInAudience(audience: string, url: string, path: string): boolean {
  const resource = resourcePath(audience, url)
  if (resource === undefined) return false
  const paths = RESOURCES[resource]
  return !paths || paths.includes(path)
}

export const isReadOnlyResource = (path: string | undefined) => path === '/mcp/readonly'
