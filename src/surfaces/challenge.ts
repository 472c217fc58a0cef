import type { Caller } from '../kernel/caller.ts'
import type { Fault } from '../kernel/fault.ts'

interface Answer {
  headers: Record<string, string>
  caller?: Caller
}

/** A protected resource (RFC 9728): its path, and the scopes that clients need for it. */
export interface ProtectedResource {
  path: string
  scopes: readonly string[]
}

/** The address of the document about a protected resource. */
export const resourceMetadataUrl = (url: string, path: string) =>
  `${url}/.well-known/oauth-protected-resource${path}`

interface Refused {
  url: string
  resource: ProtectedResource
  /** Whether the request had an Authorization header. */
  hasToken: boolean
  fault: Fault
}

/**
 * Tells a client how to get access: after a 401 where to get a token, after a 403 which scope its
 * person has to allow (RFC 6750, section 3).
 */
export function setChallenge(response: Answer, refused: Refused): void {
  const { fault, url, resource, hasToken } = refused
  const metadata = { resource_metadata: resourceMetadataUrl(url, resource.path) }
  if (fault.code === 'unauthenticated') {
    const error = hasToken && { error: 'invalid_token', error_description: fault.message }
    const scope = resource.path !== '' && { scope: resource.scopes.join(' ') }
    response.headers['www-authenticate'] = bearer({ ...error, ...metadata, ...scope })
  }
  const { scope } = fault.details
  if (typeof scope === 'string' && isGrantable(response.caller, scope))
    response.headers['www-authenticate'] = bearer({
      ...{ error: 'insufficient_scope', scope, ...metadata },
      error_description: fault.message,
    })
}

/** Whether the client could get the scope by asking its person again. */
export function isGrantable(caller: Caller | undefined, scopes: string): boolean {
  const grantable: ReadonlySet<string> = caller?.grantable ?? new Set()
  return scopes.split(' ').every((scope) => grantable.has(scope))
}

const bearer = (parameters: Record<string, string>) =>
  `Bearer ${Object.entries(parameters)
    .map(([name, value]) => `${name}="${value.replace(/[^\x20-\x7e]|["\\]/g, "'")}"`)
    .join(', ')}`
