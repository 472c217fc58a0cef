import { fault } from '../../../../kernel/fault.ts'
import type { SigningKey } from '../../credentials/model/index.ts'
import { oauthFault } from './oauth-fault.ts'
import { cleanClientName, redirectHost, redirectKind } from './rules.ts'
import { MAX_CLIENT_ID_LENGTH, MAX_REDIRECT_URIS } from './schema.ts'

/** An OAuth client. All are public: none has a secret. */
export interface OAuthClient {
  client_id: string
  name: string
  /** The host that it proved to be; null if nothing verifies who it is. */
  host: string | null
  redirect_uris: readonly string[]
}

/** The command line of Corkboard. It signs in as a device. */
export const COMMAND_LINE: OAuthClient = {
  client_id: 'cork',
  name: 'Cork command line',
  host: null,
  redirect_uris: [],
}

const PREFIX = 'client_'

/**
 * Registers a client (RFC 7591). Nothing is stored: the id contains what was registered, and a seal
 * that only this server can make. The same registration therefore has the same id.
 */
export function registerClient(key: SigningKey, metadata: unknown) {
  const { client_name, redirect_uris, grant_types, application_type } = fieldsOf(metadata)
  const uris = redirectUris(redirect_uris, application_type === 'web' ? ['https'] : undefined)
  if (!uris.length && !isDevice(grant_types))
    throw oauthFault('invalid_redirect_uri', 'redirect_uris must name at least one address')
  const name = cleanClientName(client_name)
  const payload = Buffer.from(JSON.stringify([name, uris])).toString('base64url')
  const client_id = `${PREFIX}${payload}.${key.seal('oauth client', payload)}`
  if (client_id.length > MAX_CLIENT_ID_LENGTH)
    throw oauthFault('invalid_client_metadata', 'The redirect addresses are too long')
  return {
    client_id,
    redirect_uris: uris,
    ...(name && { client_name: name }),
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT],
    response_types: ['code'],
    application_type: application_type === 'web' ? 'web' : 'native',
  }
}

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const isDevice = (grant_types: unknown) =>
  Array.isArray(grant_types) && grant_types.includes(DEVICE_GRANT)

function fieldsOf(metadata: unknown): Record<string, unknown> {
  if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata))
    return metadata as Record<string, unknown>
  throw oauthFault('invalid_client_metadata', 'The metadata of a client must be a JSON object')
}

/** Checks the redirect addresses of a client. */
export function redirectUris(uris: unknown, kinds?: readonly string[]): string[] {
  const isList = Array.isArray(uris) && uris.every((uri) => typeof uri === 'string')
  if (uris !== undefined && !isList)
    throw oauthFault('invalid_redirect_uri', 'redirect_uris must be a list of addresses')
  const list = [...new Set((uris ?? []) as string[])]
  if (list.length > MAX_REDIRECT_URIS)
    throw oauthFault('invalid_redirect_uri', `redirect_uris has more than ${MAX_REDIRECT_URIS}`)
  for (const uri of list) {
    const kind = redirectKind(uri)
    if (!kind || (kinds && !kinds.includes(kind)))
      throw oauthFault(
        'invalid_redirect_uri',
        'A redirect address must be https, http on localhost, or have the scheme of an app',
      )
  }
  return list
}

/** The registered client with this id; undefined if this server did not register it. */
export function registeredClient(key: SigningKey, client_id: string): OAuthClient | undefined {
  if (client_id === COMMAND_LINE.client_id) return COMMAND_LINE
  if (!client_id.startsWith(PREFIX) || client_id.length > MAX_CLIENT_ID_LENGTH) return undefined
  const [payload = '', seal = ''] = client_id.slice(PREFIX.length).split('.')
  if (!key.sealed('oauth client', payload, seal)) return undefined
  const [name, redirect_uris] = JSON.parse(Buffer.from(payload, 'base64url').toString())
  // Only the host that receives the code gets access, so that host is who asks.
  const hosts = new Set<string | undefined>(redirect_uris.map(redirectHost))
  const [host] = hosts
  return {
    client_id,
    name: name || host || 'An app without a name',
    host: hosts.size === 1 ? (host ?? null) : null,
    redirect_uris,
  }
}

export const unknownClient = () =>
  fault.invalid(
    'client_id',
    'not_found',
    'This server does not know the app that asks for access',
    undefined,
    'Remove the server from the app and add it again',
  )
