import { Fault } from '../../kernel/fault.ts'
import { nearest } from '../../kernel/validate.ts'
import { allowOf, type Known, methodsAt, notAllowed } from '../allow.ts'
import { type Called, type Door, plainRefusal, type Visit } from '../door.ts'
import { pathOf } from '../path.ts'

/** Answers what no route did: other methods of a known address, and addresses nobody knows. */
export function unknownPath(door: Door, routes: () => readonly Known[]) {
  return (called: Called) => {
    const path = pathOf(called.request.url)
    const isApi = path.startsWith('/api/')
    // Which addresses there are under /api/mcp/ is told only to those who may use them.
    const entry = path.startsWith('/api/mcp/') ? 'bearer' : 'anyone'
    return door.serve(
      called,
      entry,
      async (visit) => answer(called.request.method, path, routes(), visit),
      isApi ? plainRefusal : page,
    )
  }
}

function answer(method: string, path: string, routes: readonly Known[], visit: Visit) {
  const methods = methodsAt(path, routes)
  if (!methods.length) throw nothingAt(path, routes)
  if (method !== 'OPTIONS') throw notAllowed(methods, visit)
  visit.headers.allow = allowOf(methods)
  return new Response(null, { status: 204 })
}

function nothingAt(path: string, routes: readonly Known[]): Fault {
  const family = path.split('/', 3).join('/')
  const near = nearest(
    path,
    routes.map((route) => route.path).filter((one) => one.startsWith(`${family}/`)),
  )
  return new Fault(
    'not_found',
    'There is nothing at this address',
    {},
    `${near ? `Did you mean ${near}? ` : ''}/docs lists every route`,
  )
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found · Corkboard</title>
<h1>There is nothing here</h1>
<p>The address may be misspelt, or what it named is gone. <a href="/">Go to the start</a>.</p>
</html>
`

/** People who took a wrong turn get a page; every other refusal is the usual one. */
function page(refused: Fault, visit: Visit): Response {
  if (refused.code !== 'not_found') return plainRefusal(refused, visit)
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  }
  return new Response(PAGE, { status: 404, headers })
}
