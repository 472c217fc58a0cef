import { Elysia } from 'elysia'
import { Fault } from '../../kernel/fault.ts'
import type { Known } from '../allow.ts'
import { plainAddress, trustedProxies } from '../client-address.ts'
import { type Called, type Door, json } from '../door.ts'
import { describe } from './detail.ts'
import { connecting } from './llms.ts'
import type { Metrics } from './metrics.ts'
import { unknownPath } from './unknown.ts'

export { Metrics, type Readings } from './metrics.ts'
export type { IndexState } from './passages.ts'

interface Parts {
  door: Door
  metrics: Metrics
  /** Why no request should be sent here now; nothing when all is well. */
  ailing(): Promise<string | undefined>
  server: { readonly url: string }
  /** Of the whole app, once it is put together. */
  routes(): readonly Known[]
}

/** What the house says about itself, and what it answers where nothing is. */
export function system({ door, metrics, ailing, server, routes }: Parts) {
  const app = new Elysia({ name: 'system' })
  const get = (path: string, handle: (called: Called) => Promise<Response>, detail: object) =>
    app.get(path, handle as never, { detail: detail as never })
  // Monitors ask often and without a key, so these two are not counted.
  const watched = (path: string, answer: () => Promise<Response>, detail: object) =>
    get(path, (called) => door.serve(called, 'open', answer), detail)
  watched('/healthz', async () => json({ status: 'ok' }), describe.healthz)
  watched('/readyz', () => readiness(ailing), describe.readyz)
  get(
    '/metrics',
    (called) =>
      door.serve(called, 'anyone', async ({ caller }) => {
        if (!isLocal(called) && !caller?.scopes.has('teams:manage')) throw notForYou()
        return metrics.text()
      }),
    describe.metrics,
  )
  get(
    '/llms.txt',
    (called) =>
      door.serve(called, 'anyone', async () =>
        plain(connecting(server.url || new URL(called.request.url).origin)),
      ),
    describe.llms,
  )
  app.all('/*', unknownPath(door, routes) as never)
  // Elysia's own error pages tell what only the log should know.
  app.onError({ as: 'global' }, (({ request, route, server, error }: Called & { error: unknown }) =>
    door.serve({ request, route, server }, 'anyone', async () => {
      throw error
    })) as never)
  return app
}

async function readiness(ailing: Parts['ailing']): Promise<Response> {
  const reason = await ailing()
  return reason ? json({ status: 'unavailable', reason }, 503) : json({ status: 'ready' })
}

const LOOPBACK = trustedProxies('loopback')

/** Behind a proxy on this machine every stranger would seem to be local. */
function isLocal({ request, server }: Called): boolean {
  const forwarded = request.headers.has('x-forwarded-for') || request.headers.has('forwarded')
  return !forwarded && LOOPBACK.has(plainAddress(server?.requestIP(request)?.address ?? ''))
}

const notForYou = () =>
  new Fault(
    'forbidden',
    'Metrics are for this machine and for credentials that have teams:manage',
    {},
    'Ask from the machine itself, or with the key of an owner or admin',
  )

const plain = (text: string) =>
  new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
