import { SCOPES, type Scope } from '../../../../kernel/caller.ts'
import { DEFAULT_AGENT_SCOPES } from '../../teams/model/index.ts'
import { oauthFault } from './oauth-fault.ts'
import { isReadOnlyResource } from './resources.ts'

const isRead = (scope: Scope) => scope.endsWith(':read')
/** Keys give access outside of a grant, so tools never manage them. */
const forTools = (scope: Scope) => !scope.startsWith('keys:')

/** The scopes that a client needs to work on boards: what a challenge asks for. */
export const basicScopes = (path: string): readonly Scope[] =>
  isReadOnlyResource(path) ? DEFAULT_AGENT_SCOPES.filter(isRead) : DEFAULT_AGENT_SCOPES

/** All scopes that a client can be allowed at a resource. */
export function possibleScopes(path: string): readonly Scope[] {
  if (path === '') return SCOPES
  return SCOPES.filter((scope) => forTools(scope) && (!isReadOnlyResource(path) || isRead(scope)))
}

/**
 * The scopes that a request names, in our order. Those of other protocols, such as `openid` and
 * `offline_access`, are ignored. Without a scope it asks for the basic ones.
 */
export function requestedScopes(scope: string | null, path: string): readonly Scope[] {
  const words = (scope ?? '').split(' ').filter(Boolean)
  if (!words.length) return basicScopes(path)
  const known = possibleScopes(path).filter((one) => words.includes(one))
  if (known.length) return known
  if (words.every((word) => FOREIGN.includes(word))) return basicScopes(path)
  throw oauthFault('invalid_scope', 'No scope of the request exists on this server')
}

const FOREIGN = ['openid', 'offline_access', 'email', 'profile']
