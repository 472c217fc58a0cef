import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewHttp,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** What a client can ask its person. */
interface Capabilities {
  elicitation?: { form?: Record<string, never>; url?: Record<string, never> }
}

interface Secret {
  secret: string
}

const info = { name: 'test', version: '1' }
const bearer = ({ secret }: Secret) => ({
  requestInit: { headers: { authorization: `Bearer ${secret}` } },
})

/** A client of 2025, over one POST per message. */
export async function connectHttp(base: string, actor: Secret) {
  const client = new Client(info)
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), bearer(actor)))
  return client
}

/** A client of 2024, over a stream. */
export async function connectSse(base: string, actor: Secret, capabilities: Capabilities = {}) {
  const client = new Client(info, { capabilities })
  await client.connect(new SSEClientTransport(new URL(`${base}/sse`), bearer(actor)))
  return client
}

/** A client of the newest revision. */
export async function connectNewest(base: string, actor: Secret, capabilities: Capabilities = {}) {
  const versionNegotiation = { mode: 'auto' as const }
  const client = new NewClient(info, { versionNegotiation, capabilities })
  await client.connect(new NewHttp(new URL(`${base}/mcp`), bearer(actor)))
  return client
}
