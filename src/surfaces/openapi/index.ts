import { type AnyElysia, Elysia } from 'elysia'
import { Fault } from '../../kernel/fault.ts'
import type { AuthMode, Gateway, IncomingRequest } from '../gateway.ts'
import { publicRefusals } from '../openapi-parts.ts'
import { ownPage } from '../own-page.ts'
import { basePathOf } from '../path.ts'
import { appearanceOf } from '../static-files.ts'
import { CSP, page } from './page.ts'
import { openViewer } from './viewer.ts'
import type { WebhookEvents } from './webhooks.ts'

interface Parts {
  gateway: Gateway
  /** The complete app. It exists only after this surface is created. */
  app: () => AnyElysia
  server: { readonly url: string; version: string }
  /** The webhook events for agents. */
  events: WebhookEvents
}

/** The API documentation: for programs at /docs/json, for people at /docs. */
export function openapi({ gateway, app, server, events }: Parts) {
  const basePath = basePathOf(server.url)
  // Loading the document builder takes longer than starting the server.
  const document = once(async () => {
    const { documentOf } = await import('./document.ts')
    return JSON.stringify(await documentOf(app(), { version: server.version, basePath, events }))
  })
  const viewer = once(openViewer)
  const serve = (
    handle: (incoming: IncomingRequest) => Promise<Response>,
    authMode: AuthMode = 'anyone',
  ) =>
    ((incoming: IncomingRequest) =>
      gateway.serve(incoming, authMode, () => handle(incoming))) as never
  return new Elysia({ name: 'openapi' })
    .get(
      '/docs',
      serve(async ({ request }) =>
        ownPage(
          answer(
            page(basePath, (await viewer()).path, appearanceOf(request).theme),
            'text/html',
            PAGE,
          ),
        ),
      ),
    )
    .get(
      '/docs/json',
      serve(async () => answer(await document(), 'application/json', FRESH)),
      { detail: { ...detail } },
    )
    .get(
      '/docs/:script',
      serve(async ({ request, params }) => {
        const { path, encodedAs: as } = await viewer()
        if (path !== `/docs/${params?.script}`)
          throw new Fault('not_found', 'There is no such file', {}, 'The documentation is at /docs')
        const encoding = bestEncoding(request.headers.get('accept-encoding') ?? '')
        return answer(await as(encoding), 'text/javascript', {
          ...(encoding !== 'identity' && { 'content-encoding': encoding }),
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'accept-encoding',
        })
      }, 'open'),
    )
}

const FRESH = { 'cache-control': 'no-cache' }
const PAGE = { ...FRESH, 'content-security-policy': CSP, 'referrer-policy': 'no-referrer' }

const detail = {
  operationId: 'system.document',
  summary: 'This document',
  tags: ['system'],
  security: [],
  responses: {
    200: {
      description: 'OpenAPI 3.1',
      content: { 'application/json': { schema: { type: 'object' as const } } },
    },
    ...publicRefusals(),
  },
}

/** Computes a value at the first call and keeps it. A failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => {
    value ??= make().catch((error) => {
      value = undefined
      throw error
    })
    return value
  }
}

const bestEncoding = (accepted: string) =>
  /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'

const answer = (body: string | Uint8Array, type: string, headers: Record<string, string>) =>
  new Response(body as never, { headers: { 'content-type': `${type}; charset=utf-8`, ...headers } })
