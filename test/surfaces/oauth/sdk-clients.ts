import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewHttp,
} from '@modelcontextprotocol/client'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { REDIRECT } from './oauth-client.ts'

/** Stores what an SDK learns, and remembers where it would send the browser. */
export class TestProvider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT
  authorizationUrl: URL | undefined
  storedTokens: OAuthTokens | undefined
  private information: { client_id: string } | undefined
  private verifier = ''
  private discovery: unknown

  constructor(readonly clientMetadataUrl?: string) {}

  get clientMetadata() {
    return {
      client_name: 'Lantern',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    }
  }
  clientInformation = () => this.information
  saveClientInformation = (information: { client_id: string }) => {
    this.information = information
  }
  tokens = () => this.storedTokens
  saveTokens = (tokens: OAuthTokens) => {
    this.storedTokens = tokens
  }
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
  /** The newest client compares the issuer of the answer with the one that it found before. */
  discoveryState = () => this.discovery as never
  saveDiscoveryState = (state: unknown) => {
    this.discovery = state
  }
}

const info = { name: 'Lantern', version: '1' }

interface SdkTransport {
  finishAuth(code: string, iss?: string): Promise<void>
}

interface Connection {
  listTools(): Promise<{ tools: { name: string }[] }>
  close(): Promise<void>
}

/** A client of an SDK that knows only the address of the server. */
export interface SdkClient {
  name: string
  transport(url: URL, provider: TestProvider): SdkTransport
  connect(transport: SdkTransport): Promise<Connection>
}

export const SDK_CLIENTS: SdkClient[] = [
  {
    name: '@modelcontextprotocol/sdk over Streamable HTTP',
    transport: (url, authProvider) =>
      new StreamableHTTPClientTransport(new URL('/mcp', url), { authProvider }),
    async connect(transport) {
      const client = new Client(info)
      await client.connect(transport as StreamableHTTPClientTransport)
      return client
    },
  },
  {
    name: '@modelcontextprotocol/sdk over SSE',
    transport: (url, authProvider) =>
      new SSEClientTransport(new URL('/sse', url), { authProvider }),
    async connect(transport) {
      const client = new Client(info)
      await client.connect(transport as SSEClientTransport)
      return client
    },
  },
  {
    name: '@modelcontextprotocol/client of the newest revision',
    transport: (url, authProvider) => new NewHttp(new URL('/mcp', url), { authProvider }),
    async connect(transport) {
      const client = new NewClient(info, { versionNegotiation: { mode: 'auto' } })
      await client.connect(transport as NewHttp)
      return client
    },
  },
  {
    name: '@modelcontextprotocol/sdk at /mcp/readonly',
    transport: (url, authProvider) =>
      new StreamableHTTPClientTransport(new URL('/mcp/readonly', url), { authProvider }),
    async connect(transport) {
      const client = new Client(info)
      await client.connect(transport as StreamableHTTPClientTransport)
      return client
    },
  },
]
