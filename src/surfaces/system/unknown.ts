import { Fault } from '../../kernel/fault.ts'
import { closestWord } from '../../kernel/validate.ts'
import { type Gateway, type IncomingRequest, jsonRefusal, type RequestContext } from '../gateway.ts'
import { allowHeader, methodNotAllowed, methodsAt, type RoutePattern } from '../methods.ts'
import { ownPage } from '../own-page.ts'
import { pathOf } from '../path.ts'

/** Answers requests without a route: other methods of a known address, and unknown addresses. */
export function unknownPath(gateway: Gateway, routes: () => readonly RoutePattern[]) {
  return (incoming: IncomingRequest) => {
    const path = pathOf(incoming.request.url)
    const isApi = path.startsWith('/api/')
    // Only authenticated callers learn which addresses exist under /api/mcp/.
    const entry = path.startsWith('/api/mcp/') ? 'bearer' : 'anyone'
    return gateway.serve(
      incoming,
      entry,
      async (context) => respond(incoming.request.method, path, routes(), context),
      isApi ? jsonRefusal : notFoundPage,
    )
  }
}

function respond(
  method: string,
  path: string,
  routes: readonly RoutePattern[],
  context: RequestContext,
) {
  const methods = methodsAt(path, routes)
  if (!methods.length) throw unknownAddress(path, routes)
  if (method !== 'OPTIONS') throw methodNotAllowed(methods, context)
  context.headers.allow = allowHeader(methods)
  return new Response(null, { status: 204 })
}

function unknownAddress(path: string, routes: readonly RoutePattern[]): Fault {
  const prefix = path.split('/', 3).join('/')
  const suggestion = closestWord(
    path,
    routes.map((route) => route.path).filter((pattern) => pattern.startsWith(`${prefix}/`)),
  )
  return new Fault(
    'not_found',
    'Nothing found at this address',
    {},
    `${suggestion ? `Did you mean ${suggestion}? ` : ''}/docs lists every route`,
  )
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found · Corkboard</title>
<h1>Page not found</h1>
<p>Check the address; the page may have been deleted. <a href="/">Go to the home page</a>.</p>
</html>
`

/** People get a page for an unknown address. All other refusals are JSON. */
function notFoundPage(fault: Fault, context: RequestContext): Response {
  if (fault.code !== 'not_found') return jsonRefusal(fault, context)
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  }
  return ownPage(new Response(PAGE, { status: 404, headers }))
}
