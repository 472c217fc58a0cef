import { Elysia } from 'elysia'
import type { AuthorizationService } from '../authorization-service.ts'
import {
  type Gateway,
  type IncomingRequest,
  json,
  type RequestContext,
  type Tier,
} from '../gateway.ts'
import { metadataRoutes } from './metadata.ts'
import { CORS, oauthRefusal, readMetadata, readParameters, toRequest } from './wire.ts'

interface Parts {
  gateway: Gateway
  service: AuthorizationService
}

type Handle = (context: RequestContext, request: Request) => Promise<unknown>

interface Endpoint {
  path: string
  tier: Tier
  handle: Handle
}

const HIDDEN = { detail: { hide: true }, parse: 'none' } as const

/**
 * The endpoints of the OAuth authorization server that programs call, and its metadata. The pages
 * for people are among the forms.
 */
export function oauth({ gateway, service }: Parts) {
  const app = new Elysia({ name: 'oauth' })
  /** The routes are open: a request counts for its address, and its client is in the body. */
  const serve =
    (tier: Tier, handle: Handle) =>
    (incoming: IncomingRequest): Promise<Response> =>
      gateway.serve(
        incoming,
        'open',
        async (context) => {
          Object.assign(context.headers, CORS)
          await gateway.count(context, tier)
          return handle(context, incoming.request)
        },
        oauthRefusal,
      )
  const preflight: Handle = async () => new Response(null, { status: 204 })
  for (const [path, content] of metadataRoutes(service)) {
    const answer = serve('page', async () => cacheable(content()))
    app.route('GET', path, answer as never, HIDDEN as never)
    app.route('OPTIONS', path, serve('page', preflight) as never, HIDDEN as never)
  }
  for (const { path, tier, handle } of endpoints(service)) {
    app.route('POST', path, serve(tier, handle) as never, HIDDEN as never)
    app.route('OPTIONS', path, serve('page', preflight) as never, HIDDEN as never)
  }
  return app
}

const cacheable = (content: object) =>
  json(content, 200, { 'cache-control': 'public, max-age=300' })

const endpoints = (service: AuthorizationService): Endpoint[] => [
  {
    path: '/oauth/token',
    tier: 'page',
    handle: async (_, request) => service.token(toRequest(await readParameters(request))),
  },
  {
    path: '/oauth/revoke',
    tier: 'page',
    async handle(_, request) {
      await service.revoke(toRequest(await readParameters(request)))
      return new Response(null, { status: 200, headers: { 'cache-control': 'no-store' } })
    },
  },
  {
    path: '/oauth/register',
    tier: 'sign-in',
    async handle(context, request) {
      context.status = 201
      return service.register(await readMetadata(request))
    },
  },
  {
    path: '/oauth/device_authorization',
    tier: 'sign-in',
    handle: async (_, request) => service.beginDevice(await readParameters(request)),
  },
]
