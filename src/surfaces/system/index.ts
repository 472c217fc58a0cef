import { Elysia } from 'elysia'
import { Fault } from '../../kernel/fault.ts'
import { plainAddress, trustedProxies } from '../client-address.ts'
import { type Gateway, type IncomingRequest, json } from '../gateway.ts'
import type { RoutePattern } from '../methods.ts'
import { connectionGuide } from './connection-guide.ts'
import { describe } from './detail.ts'
import type { Metrics } from './metrics.ts'
import { unknownPath } from './unknown.ts'

export type { IndexState } from './index-metrics.ts'
export { Metrics, type Readings } from './metrics.ts'

interface Parts {
  gateway: Gateway
  metrics: Metrics
  /** The reason why the server cannot take requests now; undefined if it can. */
  notReadyReason(): Promise<string | undefined>
  server: { readonly url: string }
  /** All routes of the app. They are complete only after the app is built. */
  routes(): readonly RoutePattern[]
}

/** Health checks, metrics, /llms.txt, and the answer to unknown addresses. */
export function system({ gateway, metrics, notReadyReason, server, routes }: Parts) {
  const app = new Elysia({ name: 'system' })
  const get = (
    path: string,
    handle: (incoming: IncomingRequest) => Promise<Response>,
    detail: object,
  ) => app.get(path, handle as never, { detail: detail as never })
  // Monitors call these two often and without a key, so they are not rate limited.
  const uncounted = (path: string, handler: () => Promise<Response>, detail: object) =>
    get(path, (incoming) => gateway.serve(incoming, 'open', handler), detail)
  uncounted('/healthz', async () => json({ status: 'ok' }), describe.healthz)
  uncounted('/readyz', () => readiness(notReadyReason), describe.readyz)
  get(
    '/metrics',
    (incoming) =>
      gateway.serve(incoming, 'anyone', async ({ caller }) => {
        if (!isLocal(incoming) && !caller?.scopes.has('teams:manage')) throw metricsForbidden()
        return metrics.text()
      }),
    describe.metrics,
  )
  get(
    '/llms.txt',
    (incoming) =>
      gateway.serve(incoming, 'anyone', async () =>
        plainText(connectionGuide(server.url || new URL(incoming.request.url).origin)),
      ),
    describe.llms,
  )
  app.all('/*', unknownPath(gateway, routes) as never)
  // Elysia's own error pages would show details that belong in the log only.
  app.onError({ as: 'global' }, (({
    request,
    route,
    server,
    error,
  }: IncomingRequest & { error: unknown }) =>
    gateway.serve({ request, route, server }, 'anyone', async () => {
      throw error
    })) as never)
  return app
}

async function readiness(notReadyReason: Parts['notReadyReason']): Promise<Response> {
  const reason = await notReadyReason()
  return reason ? json({ status: 'unavailable', reason }, 503) : json({ status: 'ready' })
}

const LOOPBACK = trustedProxies('loopback')

/** Forwarded requests are not local: behind a proxy on this machine, all of them would seem so. */
function isLocal({ request, server }: IncomingRequest): boolean {
  const forwarded = request.headers.has('x-forwarded-for') || request.headers.has('forwarded')
  return !forwarded && LOOPBACK.has(plainAddress(server?.requestIP(request)?.address ?? ''))
}

const metricsForbidden = () =>
  new Fault(
    'forbidden',
    'Metrics are for this machine and for credentials that have teams:manage',
    {},
    'Request them from the same machine, or with the key of an owner or admin',
  )

const plainText = (text: string) =>
  new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
