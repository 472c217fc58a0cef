import { basePathOf } from '../surfaces/path.ts'
import { type Finding, ok, warning } from './finding.ts'

const TIMEOUT_MS = 3000

/**
 * Checks that a proxy forwards both kinds of addresses of a server below a path. Clients of MCP and
 * OAuth look for its metadata at the root of the host.
 */
export async function checkBasePath(url: string): Promise<Finding[]> {
  const base = basePathOf(url)
  if (!base) return []
  const check = 'path'
  if (!(await isOurs(`${url}/sign-in`, url)))
    return [
      warning(
        check,
        `no server for ${base} answers at ${url}`,
        'Start it, and let the proxy forward this path to it: see "Below a path" in docs/install.md',
      ),
    ]
  const metadata = `${new URL(url).origin}/.well-known/oauth-protected-resource${base}`
  if (await isOurs(metadata, url)) return [ok(check, `${base} and its metadata are forwarded`)]
  return [
    warning(
      check,
      `${metadata} does not lead to this server, so clients of MCP cannot sign in`,
      'Let the proxy forward it too: see "Below a path" in docs/install.md',
    ),
  ]
}

/** Whether a server at this path answers: pages, also of errors, and metadata name the path. */
async function isOurs(address: string, url: string): Promise<boolean> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = await response.text()
    return text.includes(`data-base="${basePathOf(url)}"`) || text.includes(`"${url}`)
  } catch {
    return false
  }
}
