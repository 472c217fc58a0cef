import { type AnyElysia, Elysia } from 'elysia'
import { Fault } from '../../kernel/fault.ts'
import { publicRefusals } from '../documented.ts'
import type { Called, Door, Entry } from '../door.ts'
import { themeOf } from '../look.ts'
import { CSP, page } from './page.ts'
import { openViewer } from './viewer.ts'
import type { Told } from './webhooks.ts'

interface Parts {
  door: Door
  /** The whole app, once it is put together. */
  app: () => AnyElysia
  version: string
  /** What agents are told, event by event. */
  told: Told
}

/** The description of every route, for programs at /docs/json and for people at /docs. */
export function openapi({ door, app, version, told }: Parts) {
  // What writes the document takes longer to load than the server to start.
  const document = once(async () => {
    const { documentOf } = await import('./document.ts')
    return JSON.stringify(await documentOf(app(), version, told))
  })
  const viewer = once(openViewer)
  const serve = (handle: (called: Called) => Promise<Response>, entry: Entry = 'anyone') =>
    ((called: Called) => door.serve(called, entry, () => handle(called))) as never
  return new Elysia({ name: 'openapi' })
    .get(
      '/docs',
      serve(async ({ request }) =>
        answer(page((await viewer()).path, themeOf(request)), 'text/html', PAGE),
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
        const { path, as } = await viewer()
        if (path !== `/docs/${params?.script}`)
          throw new Fault('not_found', 'There is no such file', {}, 'The documentation is at /docs')
        const encoding = best(request.headers.get('accept-encoding') ?? '')
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

/** Made by the first who asks and kept, but not a failure. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}

const best = (accepted: string) =>
  /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'

const answer = (body: string | Uint8Array, type: string, headers: Record<string, string>) =>
  new Response(body as never, { headers: { 'content-type': `${type}; charset=utf-8`, ...headers } })
