/** The least that a server on this stack can do: what everything else is measured against. */
import { Elysia } from 'elysia'

const listeners = new Set<ReadableStreamDefaultController<Uint8Array>>()
const headers = { 'content-type': 'text/event-stream' }

function stream({ request, server }: { request: Request; server: unknown }) {
  // Bun's own server, whatever Elysia takes it for.
  const { timeout } = server as { timeout(request: Request, seconds: number): void }
  timeout.call(server, request, 0)
  let own: ReadableStreamDefaultController<Uint8Array>
  const start = (controller: typeof own) => {
    own = controller
    listeners.add(own)
    own.enqueue(new TextEncoder().encode(': hello\n\n'))
  }
  const cancel = () => void listeners.delete(own)
  return new Response(new ReadableStream({ start, cancel }), { headers })
}

const app = new Elysia()
  .get('/', () => ({ ok: true }))
  .get('/stream', stream)
  .post(
    '/tell',
    ({ body }) => {
      const bytes = new TextEncoder().encode(body as string)
      for (const listener of listeners) listener.enqueue(bytes)
      return { ok: true }
    },
    { parse: 'text' },
  )
  .listen({ hostname: '127.0.0.1', port: Number(process.argv[2] ?? 0), reusePort: false })
console.log(app.server!.url.href)
