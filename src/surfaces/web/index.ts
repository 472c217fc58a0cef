import { Elysia } from 'elysia'
import { type Called, type Door, plainRefusal } from '../door.ts'
import { themeOf } from '../look.ts'
import { pathOf } from '../path.ts'
import type { Files } from './files.ts'

export { builtFiles } from './files.ts'

/** Addresses that the app itself reads; what is shown there needs a session. */
const PLACES = [
  ...(['/', '/projects/:id', '/t/:key', '/my', '/new'] as const),
  ...(['/inbox', '/search', '/p/:page', '/agents/:id?', '/runs/:id'] as const),
  ...(['/archive', '/reports/:report_id?', '/settings/:part?/:id?'] as const),
]

/** What an address is drawn by, where that is not there from the start. */
const DRAWN_BY: Partial<Record<(typeof PLACES)[number], string>> = {
  '/projects/:id': 'board/screen',
  '/t/:key': 'task/page',
  '/my': 'mine/screen',
  '/new': 'start/screen',
  '/inbox': 'inbox/screen',
  '/search': 'search/screen',
  '/p/:page': 'pages/screen',
  '/agents/:id?': 'agents/screen',
  '/runs/:id': 'agents/run',
  '/archive': 'archive/screen',
  '/reports/:report_id?': 'reports/screen',
  '/settings/:part?/:id?': 'settings/screen',
}

/** Code comes from here and nowhere else, and no text becomes markup unless it was cleaned. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify default',
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

interface Parts {
  door: Door
  files: Files
  /** Takes away a sign-in that is no good any more. */
  noCookies(): readonly string[]
}

/** The web app: one page for all its addresses, and the files that it is made of. */
export function web({ door, files, noCookies }: Parts) {
  const hidden = { detail: { hide: true } }
  const app = new Elysia({ name: 'web' })
  const drawn = async (place: (typeof PLACES)[number], { request, params = {} }: Called) => {
    const code = await files.partOf(DRAWN_BY[place] ?? '')
    const asked = firstAsked(place, params)
    const link = [FONT, ...code.map(codeAhead), ...asked.map(answerAhead)]
    return shell(themed(await files.page(), request), link.join(', '))
  }
  const show = (place: (typeof PLACES)[number]) => (called: Called) =>
    door.serve(
      called,
      'page',
      async ({ caller }) => (caller ? drawn(place, called) : toSignIn(called.request.url)),
      (refused, visit) => {
        if (refused.code !== 'unauthenticated') return plainRefusal(refused, visit)
        visit.cookies = noCookies()
        return toSignIn(called.request.url)
      },
    )
  for (const place of PLACES) app.get(place, show(place) as never, hidden as never)
  app.get(
    '/assets/:name',
    ((called: Called) =>
      door.serve(
        called,
        'open',
        async () =>
          files.asset(called.params!.name!, called.request.headers.get('accept-encoding') ?? '') ??
          new Response('There is no such file', { status: 404 }),
      )) as never,
    hidden as never,
  )
  return app
}

const UNBUILT =
  '<!doctype html><title>Corkboard</title><p>The web app was not built: npm run build does it.'

const shell = (page: string | undefined, link: string) =>
  new Response(page ?? UNBUILT, { status: page ? 200 : 503, headers: { ...HEADERS, link } })

/** What the app asks for first, so that it is under way before there is an app. */
const firstAsked = (
  place: string,
  { id = '', key = '', page = '', part }: Record<string, string>,
) => [
  '/api/v1/user/context',
  ...(place === '/my' ? ['/api/v1/my-tasks/views?limit=50&sort=createdAt%3Aasc'] : []),
  ...(part === 'board' && /^\d+$/.test(id) ? [`/api/v1/projects/${id}/manifest`] : []),
  ...(place === '/runs/:id' && /^\d+$/.test(id) ? [`/api/v1/runs/${id}`] : []),
  ...(place === '/projects/:id' && /^\d+$/.test(id)
    ? [`/api/v1/projects/${id}/board`, `/api/v1/views?project_id=${id}&limit=50`]
    : []),
  ...(/^(\d+|pg_\w+)$/.test(page) ? [`/api/v1/pages/${page}?format=html`] : []),
  ...(/^\w+-\d+$/.test(key)
    ? [
        `/api/v1/tasks/${key}?format=html`,
        `/api/v1/decision-requests?ticket_number=${key}&limit=50`,
      ]
    : []),
]

const FONT = '</assets/inter-latin.woff2>; rel=preload; as=font; type="font/woff2"; crossorigin'
const answerAhead = (path: string) => `<${path}>; rel=preload; as=fetch; crossorigin`
const codeAhead = (path: string) => `<${path}>; rel=modulepreload; crossorigin`

/** Written into the page, so that it is never drawn in another theme first. */
function themed(page: string | undefined, request: Request): string | undefined {
  const theme = themeOf(request)
  return theme ? page?.replace('<html', `<html data-theme="${theme}"`) : page
}

const toSignIn = (url: string) =>
  new Response(null, {
    status: 303,
    headers: {
      location:
        pathOf(url) === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(whole(url))}`,
      'cache-control': 'no-store',
    },
  })

const whole = (url: string) => url.slice(url.indexOf('/', 8))
