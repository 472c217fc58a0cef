import { type AnyElysia, Elysia } from 'elysia'
import type { Caller } from '../../kernel/caller.ts'
import { chooseLanguage, directionOf } from '../../languages/index.ts'
import { type Gateway, type IncomingRequest, jsonRefusal } from '../gateway.ts'
import { inLanguage } from '../language.ts'
import { ownPage } from '../own-page.ts'
import { pathAndQuery, pathOf } from '../path.ts'
import { appearanceOf, FILE_HEADERS, unlessModified } from '../static-files.ts'
import type { Files } from './files.ts'
import { manifest } from './manifest.ts'
import { receiveShare, SHARE_PATH } from './share.ts'

export { builtFiles } from './files.ts'

/** The addresses of the app. They need a session. */
const ROUTES = [
  '/',
  '/projects/:id',
  '/t/:key',
  '/my',
  '/new',
  '/import',
  '/inbox',
  '/search',
  '/p/:page',
  '/agents/:id?',
  '/runs/:id',
  '/archive',
  '/reports/:report_id?',
  '/settings/:part?/:id?',
] as const

/** The lazily loaded part that draws an address. */
const SCREENS: Partial<Record<(typeof ROUTES)[number], string>> = {
  '/projects/:id': 'screens/board/screen',
  '/t/:key': 'screens/task/page',
  '/my': 'screens/mine/screen',
  '/new': 'screens/start/screen',
  '/import': 'screens/import/screen',
  '/inbox': 'screens/inbox/screen',
  '/search': 'screens/search/screen',
  '/p/:page': 'screens/pages/screen',
  '/agents/:id?': 'screens/agents/screen',
  '/runs/:id': 'screens/agents/run',
  '/archive': 'screens/archive/screen',
  '/reports/:report_id?': 'screens/reports/screen',
  '/settings/:part?/:id?': 'screens/settings/screen',
}

/** Code comes from this server only, and text becomes markup only after sanitizing. */
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
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify default import-worker service-worker',
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

interface Parts {
  gateway: Gateway
  files: Files
  /** Cookies that remove an invalid session. */
  noCookies(): readonly string[]
}

/** The web app: one page for all its addresses, and its files. */
export function web({ gateway, files, noCookies }: Parts) {
  const hidden = { detail: { hide: true } }
  const app = new Elysia({ name: 'web' })
  const renderPage = async (
    route: (typeof ROUTES)[number],
    { request, params = {} }: IncomingRequest,
    caller: Caller,
  ) => {
    const code = await files.partOf(SCREENS[route] ?? '')
    const preloads = firstRequests(route, params)
    const link = [FONT, ...code.map(codePreload), ...preloads.map(fetchPreload)]
    const page = withAppearance(await files.page(), request)
    return shell(await withLanguage(page, files, caller), link.join(', '))
  }
  const servePage = (route: (typeof ROUTES)[number]) => (incoming: IncomingRequest) =>
    gateway.serve(
      incoming,
      'page',
      async ({ caller }) =>
        caller ? renderPage(route, incoming, caller) : signInRedirect(incoming.request.url),
      (fault, context) => {
        if (fault.code !== 'unauthenticated') return jsonRefusal(fault, context)
        context.cookies = noCookies()
        return signInRedirect(incoming.request.url)
      },
    )
  for (const route of ROUTES) app.get(route, servePage(route) as never, hidden as never)
  app.get(
    '/assets/:name',
    ((incoming: IncomingRequest) =>
      gateway.serve(
        incoming,
        'open',
        async () =>
          files.asset(
            incoming.params!.name!,
            incoming.request.headers.get('accept-encoding') ?? '',
          ) ?? new Response('File not found', { status: 404 }),
      )) as never,
    hidden as never,
  )
  installable(app, gateway, files)
  return app
}

/** Only this server; the program needs nothing else. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'"

/** What an installed app needs. Nothing of it depends on who is signed in. */
function installable(app: AnyElysia, gateway: Gateway, files: Files): void {
  const serve = (path: string, respond: (request: Request) => Promise<Response>) =>
    app.get(
      path,
      ((incoming: IncomingRequest) =>
        gateway.serve(incoming, 'open', () => respond(incoming.request))) as never,
      { detail: { hide: true } } as never,
    )
  serve('/service-worker.js', async (request) => {
    const program = await files.serviceWorker()
    if (program === undefined) return new Response('File not found', { status: 404 })
    return unlessModified(request, program, {
      ...FILE_HEADERS,
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': WORKER_POLICY,
    })
  })
  app.post(
    SHARE_PATH,
    ((incoming: IncomingRequest) =>
      gateway.serve(incoming, 'anyone', () => receiveShare(incoming.request))) as never,
    { detail: { hide: true }, parse: 'none' } as never,
  )
  serve('/manifest.webmanifest', (request) =>
    inLanguage(request, undefined, async () =>
      unlessModified(request, JSON.stringify(manifest()), {
        ...FILE_HEADERS,
        'content-type': 'application/manifest+json',
        vary: 'accept-language',
      }),
    ),
  )
}

const NOT_BUILT =
  '<!doctype html><title>Corkboard</title><p>The web app is not built. Run: npm run build'

const shell = (page: string | undefined, link: string) =>
  ownPage(
    new Response(page ?? NOT_BUILT, { status: page ? 200 : 503, headers: { ...HEADERS, link } }),
  )

/** The requests that the app makes first. Preload links start them before the app runs. */
const firstRequests = (
  route: string,
  { id = '', key = '', page = '', part }: Record<string, string>,
) => [
  '/api/v1/user/context',
  ...(route === '/my' ? ['/api/v1/my-tasks/views?limit=50&sort=createdAt%3Aasc'] : []),
  ...(part === 'board' && /^\d+$/.test(id) ? [`/api/v1/projects/${id}/manifest`] : []),
  ...(route === '/runs/:id' && /^\d+$/.test(id) ? [`/api/v1/runs/${id}`] : []),
  ...(route === '/projects/:id' && /^\d+$/.test(id)
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
const fetchPreload = (path: string) => `<${path}>; rel=preload; as=fetch; crossorigin`
const codePreload = (path: string) =>
  path.endsWith('.css')
    ? `<${path}>; rel=preload; as=style`
    : `<${path}>; rel=modulepreload; crossorigin`

/** Writes the chosen appearance into the page, so that nothing is drawn differently first. */
function withAppearance(page: string | undefined, request: Request): string | undefined {
  const attributes = Object.entries(appearanceOf(request)).map(
    ([name, value]) => ` data-${name}="${value}"`,
  )
  return page?.replace('<html', `<html${attributes.join('')}`)
}

/**
 * Writes the language into the page, and the script with its texts before that of the app, because
 * scripts of this kind run in their order.
 */
async function withLanguage(page: string | undefined, files: Files, caller: Caller) {
  const { language, locale } = chooseLanguage(caller)
  const isOfLanguage = locale.split('-')[0] === language.split('-')[0]
  const attributes = [
    `lang="${isOfLanguage ? locale : language}"`,
    ...(isOfLanguage ? [] : [`data-locale="${locale}"`]),
    ...(directionOf(language) === 'rtl' ? ['dir="rtl"'] : []),
  ]
  const script = await files.languageFile(language)
  const tag = script ? `<script type="module" crossorigin src="${script}"></script>` : ''
  return page
    ?.replace('lang="en"', attributes.join(' '))
    .replace('<script type="module"', `${tag}<script type="module"`)
}

const signInRedirect = (url: string) =>
  new Response(null, {
    status: 303,
    headers: {
      location:
        pathOf(url) === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(pathAndQuery(url))}`,
      'cache-control': 'no-store',
    },
  })
