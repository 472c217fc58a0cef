import type * as OpenIdClient from 'openid-client'
import type { Clock } from '../kernel/caller.ts'
import { Fault } from '../kernel/fault.ts'
import type { IssuerIdentity, IssuerSettings, LogoutRequest } from '../kernel/issuers.ts'
import { type Claims, identityOf, isIncomplete } from './identity.ts'
import { limitedFetch } from './limited-fetch.ts'
import { LogoutTokens } from './logout-token.ts'
import { type Attempt, IssuerProblem, toProblem } from './problems.ts'

/** For each request; a sign-in sends up to four. */
const TIMEOUT_S = 5
/** The metadata of an issuer are read again after this time. */
const METADATA_AGE_MS = 10 * 60_000
/** How far the clocks of this server and of the issuer may differ. */
const CLOCK_TOLERANCE_S = 60

type Library = typeof OpenIdClient
type Configuration = OpenIdClient.Configuration

/** The values that bind the answer of an issuer to the browser in which the sign-in began. */
export interface Challenge {
  state: string
  nonce: string
  verifier: string
}

interface Authorization extends Challenge {
  /** Where the person signs in. */
  location: string
}

/** Signs people in through one issuer. The library is loaded at the first use. */
export class IssuerClient {
  private metadata: { read: Promise<OpenIdClient.ServerMetadata>; at: number } | undefined
  private readonly logoutTokens: LogoutTokens

  constructor(
    readonly settings: IssuerSettings,
    private readonly baseUrl: () => string,
    private readonly clock: Clock,
  ) {
    this.logoutTokens = new LogoutTokens(settings, clock)
  }

  get redirectUri() {
    return `${this.baseUrl()}/sign-in/${this.settings.number}/callback`
  }

  /** Begins a sign-in. `chooses` lets the person use another account at the issuer. */
  begin({ chooses = false } = {}): Promise<Authorization> {
    return this.explained(async (library) => {
      const configuration = await this.configuration(library)
      const challenge = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      }
      const { state, nonce, verifier } = challenge
      const location = library.buildAuthorizationUrl(configuration, {
        redirect_uri: this.redirectUri,
        scope: this.settings.scopes,
        ...{ state, nonce, code_challenge_method: 'S256' },
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        ...(chooses && { prompt: promptOf(configuration.serverMetadata()) }),
      })
      return { ...challenge, location: location.href }
    })
  }

  /** Checks the answer of the issuer, which is in the query of its callback. */
  finish({ state, nonce, verifier }: Challenge, query: string): Promise<IssuerIdentity> {
    return this.explained(async (library) => {
      const configuration = await this.configuration(library)
      const answer = new URL(this.redirectUri + query)
      const tokens = await library.authorizationCodeGrant(configuration, answer, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
        idTokenExpected: true,
      })
      const claims: Claims = { ...tokens.claims() }
      const { userinfo_endpoint } = configuration.serverMetadata()
      const userinfo =
        userinfo_endpoint && isIncomplete(claims, this.settings)
          ? await library.fetchUserInfo(configuration, tokens.access_token, String(claims.sub))
          : {}
      return identityOf(this.settings, { ...userinfo, ...claims }, tokens.id_token!)
    })
  }

  /** Returns where the browser ends its session at the issuer, if the issuer has such an address. */
  logoutUrl(idToken: string): Promise<string | undefined> {
    return this.explained(async (library) => {
      const configuration = await this.configuration(library)
      if (!configuration.serverMetadata().end_session_endpoint) return undefined
      return library.buildEndSessionUrl(configuration, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${this.baseUrl()}/sign-in`,
      }).href
    })
  }

  /** Checks a logout token that the issuer sent to this server. */
  async readLogoutToken(token: string): Promise<LogoutRequest> {
    const { issuer, jwks_uri } = await this.explained((library) => this.readMetadata(library))
    try {
      return await this.logoutTokens.read(token, { issuer, jwks_uri })
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const { name } = this.settings
      throw new IssuerProblem(error, `A logout request of ${name} was refused: ${error.message}`)
    }
  }

  /** Reads the metadata of the issuer, for `cork doctor`. Returns the time of its clock. */
  check(): Promise<{ date: Date | undefined }> {
    let date: Date | undefined
    return this.explained(async (library) => {
      await this.discover(library, async (...request) => {
        const response = await limitedFetch(...request)
        const time = Date.parse(response.headers.get('date') ?? '')
        date = Number.isNaN(time) ? undefined : new Date(time)
        return response
      })
      return { date }
    })
  }

  private get attempt(): Attempt {
    const { number, name, issuer } = this.settings
    const prefix = number === 1 ? 'CORK_OIDC_' : `CORK_OIDC_${number}_`
    return { name, issuer, prefix, redirectUri: this.redirectUri }
  }

  private async explained<T>(task: (library: Library) => Promise<T>): Promise<T> {
    try {
      return await task(await import('openid-client'))
    } catch (error) {
      throw toProblem(error, this.attempt)
    }
  }

  /** A failed read is not cached, so the next sign-in tries again. */
  private readMetadata(library: Library): Promise<OpenIdClient.ServerMetadata> {
    const now = Date.now()
    if (this.metadata && now - this.metadata.at < METADATA_AGE_MS) return this.metadata.read
    const read = this.discover(library)
    this.metadata = { read, at: now }
    read.catch(() => {
      this.metadata = undefined
    })
    return read
  }

  private async discover(library: Library, fetch = limitedFetch) {
    const { issuer, clientId } = this.settings
    const configuration = await library.discovery(new URL(issuer), clientId, undefined, undefined, {
      timeout: TIMEOUT_S,
      execute: this.isPlainHttp ? [library.allowInsecureRequests] : [],
      [library.customFetch]: fetch,
    })
    return { ...configuration.serverMetadata() }
  }

  /**
   * A new configuration for each use: it has no keys yet, so keys that the issuer replaced a moment
   * ago are found.
   */
  private async configuration(library: Library): Promise<Configuration> {
    const metadata = await this.readMetadata(library)
    const { clientId, clientSecret } = this.settings
    const skew = Math.round((this.clock().getTime() - Date.now()) / 1000)
    const client = {
      [library.clockSkew]: skew,
      [library.clockTolerance]: CLOCK_TOLERANCE_S,
    }
    const authentication = clientAuthentication(library, metadata, clientSecret)
    const configuration = new library.Configuration(metadata, clientId, client, authentication)
    configuration.timeout = TIMEOUT_S
    configuration[library.customFetch] = limitedFetch
    library.enableNonRepudiationChecks(configuration)
    if (this.isPlainHttp) library.allowInsecureRequests(configuration)
    return configuration
  }

  /** Only an operator who wrote http:// gets it. */
  private get isPlainHttp() {
    return this.settings.issuer.startsWith('http:')
  }
}

function clientAuthentication(
  library: Library,
  { token_endpoint_auth_methods_supported: methods }: OpenIdClient.ServerMetadata,
  secret: string | undefined,
) {
  if (!secret) return library.None()
  return methods?.includes('client_secret_post')
    ? library.ClientSecretPost(secret)
    : library.ClientSecretBasic(secret)
}

/** Not every issuer can let people choose an account; all can ask them to sign in. */
const promptOf = ({ prompt_values_supported }: OpenIdClient.ServerMetadata): string =>
  prompt_values_supported &&
  !(prompt_values_supported as readonly unknown[]).includes('select_account')
    ? 'login'
    : 'select_account'
