/** A server that does as little as possible on the same stack, as the baseline. */
import { Elysia } from 'elysia'

const listeners = new Set<ReadableStreamDefaultController<Uint8Array>>()
const headers = { 'content-type': 'text/event-stream' }

function stream({ request, server }: { request: Request; server: unknown }) {
  // Elysia types it differently, but this is Bun's server.
  const { timeout } = server as { timeout(request: Request, seconds: number): void }
  timeout.call(server, request, 0)
  let client: ReadableStreamDefaultController<Uint8Array>
  const start = (controller: typeof client) => {
    client = controller
    listeners.add(client)
    client.enqueue(new TextEncoder().encode(': hello\n\n'))
  }
  const cancel = () => void listeners.delete(client)
  return new Response(new ReadableStream({ start, cancel }), { headers })
}

const app = new Elysia()
  .get('/', () => ({ ok: true }))
  .get('/stream', stream)
  .post(
    '/publish',
    ({ body }) => {
      const bytes = new TextEncoder().encode(body as string)
      for (const listener of listeners) listener.enqueue(bytes)
      return { ok: true }
    },
    { parse: 'text' },
  )
  .listen({ hostname: '127.0.0.1', port: Number(process.argv[2] ?? 0), reusePort: false })
console.log(app.server!.url.href)
