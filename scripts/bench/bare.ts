/** The least that a server on this stack can do: what everything else is measured against. */
import { Elysia } from 'elysia'

const app = new Elysia()
  .get('/', () => ({ ok: true }))
  .listen({ hostname: '127.0.0.1', port: Number(process.argv[2] ?? 0), reusePort: false })
console.log(app.server!.url.href)
