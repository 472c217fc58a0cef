import { Fault, fault } from '../../../../kernel/fault.ts'
import type { OAuthClient } from './clients.ts'
import type { ConsentRequest } from './consent.ts'
import { type OAuthError, oauthFault } from './oauth-fault.ts'
import { canonicalResource, MCP_RESOURCE, resourcePath } from './resources.ts'
import { CODE_CHALLENGE, matchesRedirect, redirectKind, withParameters } from './rules.ts'
import { requestedScopes } from './scopes.ts'

const MAX_STATE_LENGTH = 4096

/** What to do with an authorization request: ask the person, or send an error to the client. */
export type Authorization = { consent: ConsentRequest } | { redirect: string }

/**
 * Checks an authorization request. A wrong client or redirect address is shown to the person and
 * never sent anywhere (RFC 6749, section 4.1.2.1). All other errors go back to the client.
 */
export function checkAuthorization(
  client: OAuthClient,
  parameters: URLSearchParams,
  url: string,
): Authorization {
  const redirect_uri = redirectOf(client, parameters)
  const state = single(parameters, 'state')
  try {
    return { consent: consentRequest(client, parameters, { redirect_uri, url }) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const details = { error: String(error.details.error), error_description: error.message }
    const isShort = (state ?? '').length <= MAX_STATE_LENGTH
    return {
      redirect: answerTo({ redirect_uri, state: isShort ? state : null }, details, url),
    }
  }
}

/** The address that an answer is sent to, with `iss` against mix-up attacks (RFC 9207). */
export const answerTo = (
  { redirect_uri, state }: Pick<ConsentRequest, 'state'> & { redirect_uri: string },
  answer: Record<string, string>,
  url: string,
) => withParameters(redirect_uri, { ...answer, state: state ?? undefined, iss: url })

function redirectOf({ redirect_uris }: OAuthClient, parameters: URLSearchParams): string {
  const requested = parameters.getAll('redirect_uri')
  const [only, ...others] = redirect_uris
  const isOmittable = only !== undefined && !others.length && redirectKind(only) !== 'loopback'
  const redirect_uri = requested.length ? requested[0]! : isOmittable ? only : undefined
  if (requested.length <= 1 && redirect_uri && matchesRedirect(redirect_uris, redirect_uri))
    return redirect_uri
  throw fault.invalid(
    'redirect_uri',
    'out_of_range',
    'The address that the app wants to return to is not one that it registered',
    redirect_uri,
    'Do not continue. Start again in the app',
  )
}

function consentRequest(
  client: OAuthClient,
  parameters: URLSearchParams,
  { redirect_uri, url }: { redirect_uri: string; url: string },
): ConsentRequest {
  refuseRepeated(parameters)
  const state = single(parameters, 'state')
  if ((state ?? '').length > MAX_STATE_LENGTH) throw invalid('state is too long')
  const type = single(parameters, 'response_type')
  if (type === null) throw invalid('response_type is missing')
  if (type !== 'code') throw oauthFault('unsupported_response_type', 'response_type must be code')
  const mode = single(parameters, 'response_mode')
  if (mode !== null && mode !== 'query') throw invalid('response_mode must be query')
  const { resource, scopes } = accessOf(parameters, url)
  const code_challenge = challengeOf(parameters)
  return { client, resource, scopes, redirect_uri, code_challenge, state, request_id: null }
}

/** The resource and the scopes that a request asks for. Older clients name no resource. */
export function accessOf(parameters: URLSearchParams, url: string) {
  const requested = single(parameters, 'resource') ?? `${url}${MCP_RESOURCE}`
  const resource = canonicalResource(requested, url)
  if (resource === undefined)
    throw oauthFault('invalid_target', `The resource must be ${url}${MCP_RESOURCE} or ${url}`)
  const path = resourcePath(resource, url) ?? ''
  return { resource, scopes: requestedScopes(single(parameters, 'scope'), path) }
}

function challengeOf(parameters: URLSearchParams): string {
  const challenge = single(parameters, 'code_challenge')
  if (challenge === null) throw invalid('code_challenge is missing: PKCE is required')
  if (single(parameters, 'code_challenge_method') !== 'S256')
    throw invalid('code_challenge_method must be S256')
  if (!CODE_CHALLENGE.test(challenge)) throw invalid('code_challenge must be a SHA-256 digest')
  return challenge
}

const PARAMETERS = [
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'redirect_uri',
  'resource',
  'response_type',
  'scope',
  'state',
]

export function refuseRepeated(parameters: URLSearchParams): void {
  for (const name of PARAMETERS)
    if (parameters.getAll(name).length > 1)
      throw name === 'resource'
        ? oauthFault('invalid_target', 'A grant is for one resource')
        : invalid(`${name} occurs more than once`)
}

/** A parameter; null if it is absent or empty, which is the same in OAuth. */
export const single = (parameters: URLSearchParams, name: string): string | null =>
  parameters.get(name) || null

const invalid = (message: string, error: OAuthError = 'invalid_request') =>
  oauthFault(error, message)
