import { addCleanup } from './database.ts'

export interface WebhookRequest {
  headers: Record<string, string>
  text: string
  body: { id: string; type: string; [field: string]: unknown }
  receivedAt: number
}

type Respond = (
  received: WebhookRequest,
  nth: number,
) => Response | number | Promise<Response | number>

/** Starts a receiver of webhooks, which records each request. */
export function webhookServer(respond: Respond = () => 204) {
  const requests: WebhookRequest[] = []
  const handler = { respond }
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 60 },
    async fetch(request) {
      const text = await request.text()
      const headers = Object.fromEntries(request.headers)
      const received = { headers, text, body: JSON.parse(text), receivedAt: Date.now() }
      requests.push(received)
      const response = await handler.respond(received, requests.length)
      return typeof response === 'number' ? new Response(null, { status: response }) : response
    },
  })
  addCleanup(() => server.stop(true))
  return {
    requests,
    handler,
    url: `http://127.0.0.1:${server.port}/hook`,
    /** The ids of all requests, in the order of their arrival. */
    ids: () => requests.map(({ headers }) => headers['webhook-id']!),
    types: () => requests.map(({ body }) => body.type),
  }
}

export const neverRespond = () => new Promise<Response>(() => {})
