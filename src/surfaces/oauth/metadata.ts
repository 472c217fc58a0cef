import type { AuthorizationService } from '../authorization-service.ts'
import { resourceMetadataUrl } from '../challenge.ts'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** The metadata of a protected resource (RFC 9728). */
export const resourceMetadata = (service: AuthorizationService, path: string) => ({
  resource: service.url + path,
  authorization_servers: [service.url],
  scopes_supported: service.basicScopes(path),
  bearer_methods_supported: ['header'],
  resource_name: path === '' ? 'Corkboard API' : 'Corkboard MCP server',
  resource_documentation: `${service.url}/docs/manual/oauth.md`,
})

/** The metadata of the authorization server (RFC 8414). */
export function serverMetadata({ url, possibleScopes, resourcePaths }: AuthorizationService) {
  return {
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
    token_endpoint: `${url}/oauth/token`,
    registration_endpoint: `${url}/oauth/register`,
    revocation_endpoint: `${url}/oauth/revoke`,
    device_authorization_endpoint: `${url}/oauth/device_authorization`,
    scopes_supported: [...possibleScopes(''), 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_GRANT],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: resourcePaths.map((path) => url + path),
    service_documentation: `${url}/docs/manual/oauth.md`,
  }
}

/**
 * The same for clients that look for OpenID Connect and require its fields. No ID tokens are issued,
 * so there are no keys to verify them with.
 */
export const openIdMetadata = (service: AuthorizationService) => ({
  ...serverMetadata(service),
  jwks_uri: `${service.url}/oauth/jwks`,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})

/** The routes of the documents, with what each of them contains. */
export function metadataRoutes(service: AuthorizationService): [string, () => object][] {
  const resources = service.resourcePaths.map((path): [string, () => object] => [
    resourceMetadataUrl('', path),
    () => resourceMetadata(service, path),
  ])
  return [
    ...resources,
    ['/.well-known/oauth-authorization-server', () => serverMetadata(service)],
    ['/.well-known/openid-configuration', () => openIdMetadata(service)],
    ['/oauth/jwks', () => ({ keys: [] })],
  ]
}
