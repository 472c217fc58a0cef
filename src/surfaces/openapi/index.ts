import { type AnyElysia, Elysia } from 'elysia'
import { Fault } from '../../kernel/fault.ts'
import type { AuthMode, Gateway, IncomingRequest } from '../gateway.ts'
import { ownPage } from '../own-page.ts'
import { basePathOf } from '../path.ts'
import { appearanceOf } from '../static-files.ts'
import { detailOf, documents, once } from './documents.ts'
import { CSP, page } from './page.ts'
import { openViewer, type Viewer } from './viewer.ts'
import type { WebhookEvents } from './webhooks.ts'

interface Parts {
  gateway: Gateway
  /** The complete app. It exists only after this surface is created. */
  app: () => AnyElysia
  server: { readonly url: string; version: string }
  /** The webhook events for agents. */
  events: WebhookEvents
}

/** The API documentation: for programs at /openapi.json, for people at /docs. */
export function openapi({ gateway, app, server, events }: Parts) {
  const basePath = basePathOf(server.url)
  const documentFor = documents(async () => {
    // Loading the document builder takes longer than starting the server.
    const { documentOf } = await import('./document.ts')
    return documentOf(app(), { version: server.version, basePath, events })
  })
  const viewer = once(openViewer)
  const serve = (
    handle: (incoming: IncomingRequest) => Promise<Response>,
    authMode: AuthMode = 'anyone',
  ) =>
    ((incoming: IncomingRequest) =>
      gateway.serve(incoming, authMode, () => handle(incoming))) as never
  const json = serve(async ({ request }) =>
    answer(JSON.stringify(await documentFor(request)), 'application/json', FRESH),
  )
  const yaml = serve(async ({ request }) => {
    const { stringify } = await import('yaml')
    const text = stringify(await documentFor(request), { aliasDuplicateObjects: false })
    return answer(text, 'application/yaml', FRESH)
  })
  return new Elysia({ name: 'openapi' })
    .get('/openapi.json', json, { detail: detailOf('system.document', 'json') })
    .get('/docs/json', json, { detail: detailOf('system.document.2', 'json') })
    .get('/openapi.yaml', yaml, { detail: detailOf('system.document_yaml', 'yaml') })
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
      '/docs/:script',
      serve(async (incoming) => viewerScript(await viewer(), incoming), 'open'),
    )
}

async function viewerScript({ path, encodedAs }: Viewer, { request, params }: IncomingRequest) {
  if (path !== `/docs/${params?.script}`)
    throw new Fault('not_found', 'There is no such file', {}, 'The documentation is at /docs')
  const encoding = bestEncoding(request.headers.get('accept-encoding') ?? '')
  return answer(await encodedAs(encoding), 'text/javascript', {
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
}

const FRESH = { 'cache-control': 'no-cache' }
const PAGE = { ...FRESH, 'content-security-policy': CSP, 'referrer-policy': 'no-referrer' }

const bestEncoding = (accepted: string) =>
  /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'

const answer = (body: string | Uint8Array, type: string, headers: Record<string, string>) =>
  new Response(body as never, { headers: { 'content-type': `${type}; charset=utf-8`, ...headers } })
