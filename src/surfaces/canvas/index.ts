import { Elysia } from 'elysia'
import type { Dispatch } from '../../kernel/dispatch.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Called, Door } from '../door.ts'
import { html } from '../html.ts'
import { detail } from './detail.ts'

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  door: Door
}

/**
 * Whoever drew a canvas may have written anything into it, and its scripts run. Here they have no
 * origin, so no cookies and no API, and no network.
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

/** The HTML canvas of a page. The only place that shows one as it was drawn. */
export function canvas({ catalog, dispatch, door }: Parts) {
  const get = catalog.find(({ name }) => name === 'pages.canvas')
  const show = ({ request, route, server, params }: Called) =>
    door.serve({ request, route, server }, 'bearer or cookie', async ({ caller }) => {
      const { data } = await dispatch(caller!, get!, { page_id: params!.page_id! })
      return new Response(framed(data as Drawn), { headers: HEADERS })
    })
  const lend = ({ request, route, server }: Called) =>
    door.serve({ request, route, server }, 'open', async () => {
      return new Response(EMPTY, { headers: HEADERS })
    })
  return new Elysia({ name: 'canvas' })
    .get('/api/v1/pages/:page_id/canvas', show as never, { detail: { ...detail } as never })
    .get('/canvas', lend as never, { detail: { hide: true } as never })
}

interface Drawn {
  title: string
  html: string
}

const STYLE =
  'html, body, iframe { margin: 0; border: 0; width: 100%; height: 100% } iframe { display: block }'

/** A document may take its own window elsewhere, whatever its policy says; its frame it may not. */
const framed = (drawn: Drawn) =>
  html`<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${drawn.title}</title>
<style>${STYLE}</style>
</head>
<body><iframe sandbox="allow-scripts" title="${drawn.title}" srcdoc="${drawn.html}"></iframe></body>
</html>
`.text

/** The same sandbox with nothing in it: the app, and nobody else, says what is drawn there. */
const EMPTY = `<!doctype html>
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
