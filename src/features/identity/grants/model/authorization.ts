import type { Caller, Clock, Scope, Server } from '../../../../kernel/caller.ts'
import type { Store } from '../../../../kernel/dispatch.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import type { SigningKey } from '../../credentials/model/index.ts'
import { type Authorization, accessOf, answerTo, checkAuthorization, single } from './authorize.ts'
import {
  DEVICE_GRANT,
  type OAuthClient,
  registerClient,
  registeredClient,
  unknownClient,
} from './clients.ts'
import { type ConsentRequest, consentOptions, sealConsent, unsealConsent } from './consent.ts'
import { beginDevice, deviceByCode, pollDevice } from './devices.ts'
import { type Exchange, exchangeCode, refresh, type TokenRequest } from './exchange.ts'
import { MetadataDocuments } from './metadata-documents.ts'
import { oauthFault } from './oauth-fault.ts'
import { RESOURCE_PATHS, resourcePath } from './resources.ts'
import { parseToken, revokeByClient } from './revoke.ts'
import { formActionSource, showUserCode } from './rules.ts'
import { CONSENT_MS } from './schema.ts'
import { basicScopes, possibleScopes } from './scopes.ts'
import { signTokens, type TokenAnswer } from './tokens.ts'

export interface AuthorizationServices {
  store: Pick<Store, 'read' | 'write'>
  clock: Clock
  server: Pick<Server, 'url' | 'fetch' | 'elapsed'>
  key: SigningKey
  /** Hosts that may have a private address, and need no HTTPS. */
  allowedHosts: readonly string[]
  allow(caller: Caller, input: unknown): Promise<{ code: string | null }>
  deny(caller: Caller, input: unknown): Promise<void>
}

/** What a person chose on the consent page. */
export interface ConsentChoice {
  scopes: readonly Scope[]
  agent?: { agent_id?: string; name?: string; team_id?: number }
  project_ids: number[] | null
  days: number | null
}

/** The OAuth authorization server of this installation. */
export class AuthorizationServer {
  private readonly documents: MetadataDocuments

  constructor(private readonly services: AuthorizationServices) {
    this.documents = new MetadataDocuments(services)
  }

  get url() {
    return this.services.server.url
  }

  readonly resourcePaths = RESOURCE_PATHS
  readonly basicScopes = basicScopes
  readonly possibleScopes = possibleScopes
  readonly formActionSource = formActionSource

  register(metadata: unknown) {
    const issued = Math.floor(this.services.clock().getTime() / 1000)
    return { ...registerClient(this.services.key, metadata), client_id_issued_at: issued }
  }

  /** Checks an authorization request of a signed-in person. */
  async authorize(parameters: URLSearchParams): Promise<Authorization> {
    const ids = parameters.getAll('client_id')
    if (ids.length !== 1 || !ids[0]) throw unknownClient()
    return checkAuthorization(await this.client(ids[0]), parameters, this.url)
  }

  private async client(client_id: string): Promise<OAuthClient> {
    if (this.documents.isDocument(client_id)) return this.documents.read(client_id)
    const client = registeredClient(this.services.key, client_id)
    if (!client) throw unknownClient()
    return client
  }

  consentOptions(caller: Caller, { client }: ConsentRequest) {
    return this.services.store.read((tx) => consentOptions(tx, caller, client))
  }

  seal(caller: Caller, request: ConsentRequest): string {
    const { key, clock } = this.services
    return sealConsent(key, { request, actor_id: caller.actor_id, at: clock().getTime() })
  }

  /** The request that a consent page was shown for, to this person and not long ago. */
  unseal(caller: Caller, text: string): ConsentRequest {
    const { key, clock } = this.services
    const sealed = unsealConsent(key, text)
    const age = clock().getTime() - (sealed?.at ?? 0)
    if (sealed && sealed.actor_id === caller.actor_id && age >= 0 && age < CONSENT_MS)
      return sealed.request
    throw fault.invalid(
      'request',
      'out_of_range',
      'This page is too old, or was opened by another account',
      undefined,
      'Start again in the app',
    )
  }

  /** Creates the grant. Returns where to send the browser; null for a device, which polls. */
  async allow(caller: Caller, request: ConsentRequest, choice: ConsentChoice) {
    const { client, resource, redirect_uri, code_challenge, request_id } = request
    const { code } = await this.services.allow(caller, {
      ...{ client_id: client.client_id, client_name: client.name, client_host: client.host },
      ...{ redirect_uri, code_challenge, request_id, resource, ...choice },
      scopes: request.scopes.filter((scope) => choice.scopes.includes(scope)),
    })
    return redirect_uri === null || code === null
      ? null
      : answerTo({ redirect_uri, state: request.state }, { code }, this.url)
  }

  async deny(caller: Caller, { client, redirect_uri, state, request_id }: ConsentRequest) {
    const { name: client_name, host: client_host } = client
    await this.services.deny(caller, { client_name, client_host, request_id })
    if (redirect_uri === null) return null
    const error = { error: 'access_denied', error_description: 'The person refused the access' }
    return answerTo({ redirect_uri, state }, error, this.url)
  }

  /** Answers a token request. Throws a fault with an error code of OAuth. */
  async token(request: TokenRequest): Promise<TokenAnswer> {
    if (!request.client_id) throw oauthFault('invalid_client', 'client_id is missing')
    const exchange = EXCHANGES[request.grant_type ?? '']
    if (!exchange && !request.grant_type)
      throw oauthFault('invalid_request', 'grant_type is missing')
    if (!exchange)
      throw oauthFault(
        'unsupported_grant_type',
        `grant_type must be one of ${Object.keys(EXCHANGES).join(', ')}`,
      )
    const answer = await this.write((context) => exchange(context, request))
    if (answer instanceof Fault) throw answer
    return signTokens(this.services.key, answer)
  }

  async revoke({ client_id, token }: TokenRequest): Promise<void> {
    const { key, clock } = this.services
    if (!client_id) throw oauthFault('invalid_client', 'client_id is missing')
    if (!token) throw oauthFault('invalid_request', 'token is missing')
    const parsed = await parseToken(key, token, clock())
    if (parsed) await this.write((context) => revokeByClient(context, client_id, parsed))
  }

  /** Begins a sign-in of a device. A document about the client is read once a person looks. */
  async beginDevice(parameters: URLSearchParams) {
    const client_id = single(parameters, 'client_id') ?? ''
    const isDocument = this.documents.isDocument(client_id)
    const client = isDocument ? undefined : registeredClient(this.services.key, client_id)
    if (!isDocument && !client) throw oauthFault('invalid_client', 'The client_id is unknown')
    const { resource } = accessOf(parameters, this.url)
    const client_name = client?.name ?? new URL(client_id).host
    const scope = single(parameters, 'scope')
    return this.write((context) =>
      beginDevice(context, { client_id, client_name, resource, scope }),
    )
  }

  /** The request of the device that shows this code. */
  async deviceConsent(typed: string): Promise<ConsentRequest & { userCode: string }> {
    const { store, clock } = this.services
    const device = await store.read((tx) => deviceByCode(tx, typed, clock()))
    const { client_id, request_id, resource, scope } = device
    const client = await this.client(client_id)
    const isOwn = client_id === 'cork' && scope === null
    const path = resourcePath(resource, this.url) ?? ''
    const scopes = isOwn
      ? possibleScopes(path)
      : accessOf(new URLSearchParams({ resource, ...(scope && { scope }) }), this.url).scopes
    return {
      ...{ client, resource, scopes, request_id, userCode: showUserCode(device.user_code) },
      ...{ redirect_uri: null, code_challenge: null, state: null },
    }
  }

  private write<T>(job: (exchange: Exchange) => Promise<T>): Promise<T> {
    const { store, key, clock } = this.services
    return store.write((tx) => job({ tx, key, now: clock(), url: this.url }))
  }
}

const EXCHANGES: Record<string, typeof refresh | undefined> = {
  authorization_code: exchangeCode,
  refresh_token: refresh,
  [DEVICE_GRANT]: pollDevice,
}
