import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { parse } from '../json.ts'

/** The client configuration that is shown once, when an agent is created. */
export interface Configuration {
  type: string
  url: string
  headers: Record<string, string>
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not typed
export type Answer = any

/** An MCP and REST client that needs nothing but such a configuration. */
export async function player({ url, headers }: Configuration) {
  const client = new Client({ name: 'together', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  )
  // With the list of tools the client checks every answer against its schema.
  await client.listTools()
  const asked = async (name: string, action: string, input: object) => {
    const args = { action, input, response_format: 'detailed' }
    const { isError, structuredContent } = await client.callTool({ name, arguments: args })
    return { isError, told: structuredContent as Answer }
  }
  return {
    /** The data of a call that is accepted. */
    async tool(name: string, action: string, input: object = {}): Promise<Answer> {
      const { isError, told } = await asked(name, action, input)
      if (isError) throw new Error(`${name} ${action}: ${JSON.stringify(told)}`)
      return told.data
    },
    /** The fault of a call that is refused. */
    async refused(name: string, action: string, input: object): Promise<Answer> {
      const { isError, told } = await asked(name, action, input)
      if (!isError) throw new Error(`${name} ${action} was accepted: ${JSON.stringify(told)}`)
      return told
    },
    async rest(method: string, path: string, body?: object) {
      const response = await fetch(new URL(path, url), {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
      })
      const { data, ...told } = parse(await response.text()) as Answer
      return { status: response.status, data, told }
    },
    /** All events of the change log that the caller may see. */
    async heard(): Promise<Answer[]> {
      const stop = new AbortController()
      const path = new URL('/api/v1/events', url)
      const more = { ...headers, 'last-event-id': '0' }
      const { body } = await fetch(path, { headers: more, signal: stop.signal })
      let text = ''
      const decoder = new TextDecoder()
      const read = (async () => {
        for await (const chunk of body!) text += decoder.decode(chunk, { stream: true })
      })().catch(() => {})
      for (let length = -1; length !== text.length; await Bun.sleep(300)) length = text.length
      stop.abort()
      await read
      return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!))
    },
    close: () => client.close(),
  }
}

export type Player = Awaited<ReturnType<typeof player>>

/** An endpoint for webhooks that responds with `box.status`. */
export function postbox() {
  const letters: { headers: Record<string, string>; text: string }[] = []
  const box = { status: 200 }
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      const headers = Object.fromEntries(request.headers)
      letters.push({ headers, text: await request.text() })
      return new Response(null, { status: box.status })
    },
  })
  return {
    letters,
    box,
    url: `http://127.0.0.1:${server.port}/hook`,
    close: () => server.stop(true),
  }
}

type Maybe<T> = T | false | undefined

/** Retries until there is a result: notifications and search take a moment. */
export async function soon<T>(ask: () => Promise<Maybe<T>> | Maybe<T>): Promise<T> {
  for (let tries = 0; tries < 1500; tries++) {
    const found = await ask()
    if (found !== undefined && found !== false) return found
    await Bun.sleep(20)
  }
  throw new Error(`It did not come: ${ask}`)
}
