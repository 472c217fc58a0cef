import type { Caller, Scope } from '../kernel/caller.ts'

/** An OAuth client, as a person sees it. */
export interface ClientInfo {
  client_id: string
  name: string
  /** The host that it proved to be; null if nothing verifies who it is. */
  host: string | null
  redirect_uris: readonly string[]
}

export interface ConsentRequest {
  client: ClientInfo
  resource: string
  scopes: readonly Scope[]
  /** Where the answer goes; null for a device, which polls for it. */
  redirect_uri: string | null
  code_challenge: string | null
  state: string | null
  request_id: number | null
}

export interface ConsentOptions {
  teams: { team_id: number; name: string }[]
  boards: { project_id: number; title: string; team_id: number; team: string }[]
  agents: { agent_id: string; name: string }[]
  agentName: string
}

export interface ConsentChoice {
  scopes: readonly Scope[]
  agent?: { agent_id?: string; name?: string; team_id?: number }
  project_ids: number[] | null
  days: number | null
}

export type TokenRequest = Partial<Record<string, string>>

/** What surfaces need of the OAuth authorization server. It throws faults with OAuth errors. */
export interface AuthorizationService {
  readonly url: string
  readonly resourcePaths: readonly string[]
  basicScopes(path: string): readonly Scope[]
  possibleScopes(path: string): readonly Scope[]
  register(metadata: unknown): object
  authorize(
    parameters: URLSearchParams,
  ): Promise<{ consent: ConsentRequest } | { redirect: string }>
  consentOptions(caller: Caller, request: ConsentRequest): Promise<ConsentOptions>
  seal(caller: Caller, request: ConsentRequest): string
  unseal(caller: Caller, sealed: string): ConsentRequest
  /** Both return where to send the browser; null for a device. */
  allow(caller: Caller, request: ConsentRequest, choice: ConsentChoice): Promise<string | null>
  deny(caller: Caller, request: ConsentRequest): Promise<string | null>
  token(request: TokenRequest): Promise<object>
  revoke(request: TokenRequest): Promise<void>
  beginDevice(parameters: URLSearchParams): Promise<object>
  deviceConsent(code: string): Promise<ConsentRequest & { userCode: string }>
  formActionSource(redirect_uri: string): string
}
