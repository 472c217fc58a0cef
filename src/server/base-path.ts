import { isForOwnPage } from '../surfaces/own-page.ts'
import { pathAndQuery } from '../surfaces/path.ts'

type Handler = (request: Request) => Response | Promise<Response>

/**
 * Serves an app below a path: removes the path from the addresses of requests, and adds it to the
 * addresses in responses. So the app knows nothing of it. Requests from which a proxy has removed
 * the path already are served too.
 */
export const withBasePath =
  (base: string, handle: Handler): Handler =>
  async (request) => {
    const path = internalPath(base, pathAndQuery(request.url))
    // A new request would lose the address of its client, which belongs to the object.
    Object.defineProperty(request, 'url', { value: new URL(request.url).origin + path })
    const response = await handle(request)
    prefixHeaders(base, response.headers)
    return isForOwnPage(request) && response.body ? prefixPage(base, response) : response
  }

const WELL_KNOWN = '/.well-known/'

/**
 * Maps the path of a request to the path within the app. RFC 8414 and RFC 9728 put the path of a
 * server after the name of the document: `/.well-known/oauth-protected-resource/board/mcp`.
 */
export function internalPath(base: string, path: string): string {
  const rest = withoutPrefix(base, path)
  if (rest !== undefined) return rest
  if (!path.startsWith(WELL_KNOWN)) return path
  const end = path.slice(WELL_KNOWN.length).search(/[/?]/)
  if (end < 0) return path
  const document = path.slice(0, WELL_KNOWN.length + end)
  const after = withoutPrefix(base, path.slice(document.length))
  if (after === undefined) return path
  return document + (/^\/(\?|$)/.test(after) ? after.slice(1) : after)
}

/** The path after the prefix, from its slash on; undefined if the path does not begin with it. */
function withoutPrefix(prefix: string, path: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined
  const rest = path.slice(prefix.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : undefined
}

function prefixHeaders(base: string, headers: Headers) {
  const location = headers.get('location')
  if (location && isLocal(location)) headers.set('location', base + location)
  const link = headers.get('link')
  if (link) headers.set('link', link.replaceAll('</', `<${base}/`))
  const cookies = headers.getSetCookie()
  if (cookies.length) headers.delete('set-cookie')
  for (const cookie of cookies)
    headers.append('set-cookie', cookie.replace(/; Path=\/(?=;|$)/, `; Path=${base}`))
}

async function prefixPage(base: string, response: Response): Promise<Response> {
  const { status, headers } = response
  const type = headers.get('content-type') ?? ''
  if (type.startsWith('text/html')) return prefixHtml(base, response)
  const markdown = await response.text()
  return new Response(markdown.replaceAll('](/', `](${base}/`), { status, headers })
}

/** Whether an address is a path on this server. `//` begins the name of another host. */
const isLocal = (address: string) => address.startsWith('/') && !address.startsWith('//')

const ATTRIBUTES = ['href', 'src', 'action', 'content'] as const

function prefixHtml(base: string, response: Response): Response {
  const rewriter = new HTMLRewriter().on('html', {
    element: (element) => void element.setAttribute('data-base', base),
  })
  for (const name of ATTRIBUTES)
    rewriter.on(`[${name}^="/"]`, {
      element(element) {
        const address = element.getAttribute(name)!
        if (isLocal(address)) element.setAttribute(name, base + address)
      },
    })
  return rewriter.transform(response)
}
