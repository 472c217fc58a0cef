import { Elysia } from 'elysia'
import type { Dispatch } from '../../kernel/dispatch.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Gateway, IncomingRequest } from '../gateway.ts'
import { html } from '../html.ts'
import { detail } from './detail.ts'

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  gateway: Gateway
}

/**
 * A canvas may contain anything, and its scripts run. The sandbox gives them no origin, so no
 * cookies and no API, and no network.
 */
const POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  ...['img-src', 'font-src', 'media-src'].map((what) => `${what} data:`),
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
}

/** Serves the HTML canvas of a page. No other route sends one unsanitized. */
export function canvas({ catalog, dispatch, gateway }: Parts) {
  const get = catalog.find(({ name }) => name === 'pages.canvas')
  const serveCanvas = ({ request, route, server, params }: IncomingRequest) =>
    gateway.serve({ request, route, server }, 'bearer or cookie', async ({ caller }) => {
      const { data } = await dispatch(caller!, get!, { page_id: params!.page_id! })
      return new Response(canvasPage(data as Canvas), { headers: HEADERS })
    })
  const servePreview = ({ request, route, server }: IncomingRequest) =>
    gateway.serve({ request, route, server }, 'open', async () => {
      return new Response(PREVIEW_PAGE, { headers: HEADERS })
    })
  return new Elysia({ name: 'canvas' })
    .get('/api/v1/pages/:page_id/canvas', serveCanvas as never, { detail: { ...detail } as never })
    .get('/canvas', servePreview as never, { detail: { hide: true } as never })
}

interface Canvas {
  title: string
  html: string
}

const STYLE =
  'html, body, iframe { margin: 0; border: 0; width: 100%; height: 100% } iframe { display: block }'

/**
 * The canvas is in a frame of this page, because a document can navigate its own window whatever
 * its policy says, but not the window around its frame.
 */
const canvasPage = (canvas: Canvas) =>
  html`<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${canvas.title}</title>
<style>${STYLE}</style>
</head>
<body><iframe sandbox="allow-scripts" title="${canvas.title}" srcdoc="${canvas.html}"></iframe></body>
</html>
`.text

/** An empty sandbox for previews. It takes its content only from the app, by a message. */
const PREVIEW_PAGE = `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<title>Preview</title>
<style>${STYLE}</style>
</head>
<body><iframe sandbox="allow-scripts" title="Preview"></iframe>
<script>
addEventListener('message', ({ source, data }) => {
  if (source === parent && parent !== window) document.querySelector('iframe').srcdoc = data
})
</script>
</body>
</html>
`
