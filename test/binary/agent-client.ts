import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { parseJson } from '../support/json.ts'

/** The client configuration that is shown once, when an agent is created. */
export interface ClientConfiguration {
  type: string
  url: string
  headers: Record<string, string>
}

// biome-ignore lint/suspicious/noExplicitAny: tests compare responses of any shape
export type Json = any

/** An MCP and REST client that needs nothing but such a configuration. */
export async function connectClient({ url, headers }: ClientConfiguration) {
  const client = new Client({ name: 'together', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  )
  // With the list of tools the client checks every answer against its schema.
  await client.listTools()
  const call = async (name: string, action: string, input: object) => {
    const args = { action, input, response_format: 'detailed' }
    const { isError, structuredContent } = await client.callTool({ name, arguments: args })
    return { isError, result: structuredContent as Json }
  }
  return {
    /** The data of a call that is accepted. */
    async callTool(name: string, action: string, input: object = {}): Promise<Json> {
      const { isError, result } = await call(name, action, input)
      if (isError) throw new Error(`${name} ${action}: ${JSON.stringify(result)}`)
      return result.data
    },
    /** The fault of a call that is refused. */
    async expectRefusal(name: string, action: string, input: object): Promise<Json> {
      const { isError, result } = await call(name, action, input)
      if (!isError) throw new Error(`${name} ${action} was accepted: ${JSON.stringify(result)}`)
      return result
    },
    async rest(method: string, path: string, body?: object) {
      const response = await fetch(new URL(path, url), {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
      })
      const { data, ...envelope } = parseJson(await response.text()) as Json
      return { status: response.status, data, envelope }
    },
    /** All events of the change log that the caller may see. */
    async readAllEvents(): Promise<Json[]> {
      const abort = new AbortController()
      const path = new URL('/api/v1/events', url)
      const eventHeaders = { ...headers, 'last-event-id': '0' }
      const { body } = await fetch(path, { headers: eventHeaders, signal: abort.signal })
      let text = ''
      const decoder = new TextDecoder()
      const reading = (async () => {
        for await (const chunk of body!) text += decoder.decode(chunk, { stream: true })
      })().catch(() => {})
      for (let length = -1; length !== text.length; await Bun.sleep(300)) length = text.length
      abort.abort()
      await reading
      return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!))
    },
    close: () => client.close(),
  }
}

export type ConnectedClient = Awaited<ReturnType<typeof connectClient>>

/** An endpoint for webhooks that responds with `response.status`. */
export function startWebhookEndpoint() {
  const requests: { headers: Record<string, string>; text: string }[] = []
  const response = { status: 200 }
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      const headers = Object.fromEntries(request.headers)
      requests.push({ headers, text: await request.text() })
      return new Response(null, { status: response.status })
    },
  })
  return {
    requests,
    response,
    url: `http://127.0.0.1:${server.port}/hook`,
    close: () => server.stop(true),
  }
}
