import { Elysia } from 'elysia'
import type { Caller } from '../../kernel/caller.ts'
import type { Answer, Dispatch } from '../../kernel/dispatch.ts'
import { Fault } from '../../kernel/fault.ts'
import { type AnyOperation, needed } from '../../kernel/operation.ts'
import { allowOf, isShadowed, methodsAt, notAllowed } from '../allow.ts'
import { readJson } from '../body.ts'
import type { Called, Door, Visit } from '../door.ts'
import { accepts, isWorthPacking, packed } from '../packing.ts'
import { pathOf } from '../path.ts'
import { meant } from './compat.ts'
import { detailOf } from './detail.ts'
import { fileIn } from './download.ts'
import { creates, inputOf, queryOf, type Route, routesOf } from './routes.ts'

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  door: Door
  /** The cookies of the caller's session under another secret. */
  renew(caller: Caller): Promise<readonly string[]>
}

/** Every operation that names a route, served there. */
export function rest({ catalog, dispatch, door, renew }: Parts) {
  const app = new Elysia({ name: 'rest' })
  const routes = routesOf(catalog)
  for (const known of routes) {
    const { method, path, op } = known
    const shadowed = isShadowed(path, routes)
    const writing = allowOf(methodsAt(path, routes).filter((one) => one !== 'GET'))
    const entry = path.startsWith('/api/mcp/') ? 'bearer' : 'bearer or cookie'
    // Elysia reads here what a handler takes, and prepares nothing else for it.
    const handler = ({ request, route, server, params }: Called) =>
      door.serve({ request, route, server }, entry, async (visit) => {
        if (shadowed) checkMethod(known, request, routes, visit)
        const body = method === 'GET' ? undefined : await readJson(request)
        const query = queryOf(request.url)
        const asked = meant(op, catalog, body, query)
        const input = inputOf(asked, body, query, params ?? {})
        if (method === 'GET') checkSafe(asked, input, writing, visit)
        const sent = method === 'GET' ? null : request.headers.get('idempotency-key')
        const key = sent ?? undefined
        const until = asked.patience && door.wait({ request, server })
        const answer = await dispatch(visit.caller!, asked, input, key, until)
        if (asked.renews) visit.cookies = await renew(visit.caller!)
        const file = fileIn(asked, answer.data, request)
        if (file) return file
        const text = enveloped(asked, input, answer, visit)
        return isWorthPacking(text) ? asTaken(text, answer, request, visit) : text
      })
    // Told when somebody asks for the document; a start does not wait for it.
    const detail = () => detailOf(known, meant(op, catalog, { task_id: 0 }))
    const hooks = { parse: 'none', detail }
    app.route(method, path, handler as never, hooks as never)
  }
  return app
}

/** Refuses what the router found by a pattern although the address has a route of its own. */
function checkMethod({ method }: Route, { url }: Request, routes: readonly Route[], visit: Visit) {
  const methods = methodsAt(pathOf(url), routes)
  if (!methods.includes(method)) throw notAllowed(methods, visit)
}

/** Links are followed by anything; what changes something is asked for with POST. */
function checkSafe(op: AnyOperation, input: unknown, allow: string, { headers }: Visit) {
  if (needed(op, input) === op.needs) return
  headers.allow = allow
  throw new Fault('method_not_allowed', 'GET changes nothing', {}, 'Send the same as POST')
}

/** The body as text; an answer that is given again need not be written out again. */
function enveloped(op: AnyOperation, input: unknown, answer: Answer, visit: Visit): string {
  const { data, page, warnings, replayed } = answer
  // What was there already was not created, nor is anything by a dry run.
  const isThere = (data as { created?: boolean } | null)?.created === false
  const isDry = (input as { dry_run?: boolean }).dry_run === true
  if (creates(op) && !isThere && !isDry) visit.status = 201
  if (replayed) visit.headers['idempotent-replayed'] = 'true'
  const text =
    texts.get(answer) ??
    JSON.stringify({ success: true, data, ...(page && { page }), ...(warnings && { warnings }) })
  texts.set(answer, text)
  return text
}

const texts = new WeakMap<Answer, string>()

/** A long answer, packed where the client can unpack it. */
async function asTaken(text: string, answer: Answer, request: Request, visit: Visit) {
  visit.headers.vary = 'accept-encoding'
  const isAsked = accepts(request.headers.get('accept-encoding') ?? '', 'gzip')
  if (!isAsked || request.method === 'HEAD') return text
  const bytes = packs.get(answer) ?? packed(text)
  packs.set(answer, bytes)
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  return new Response((await bytes) as BodyInit, { status: visit.status ?? 200, headers })
}

const packs = new WeakMap<Answer, Promise<Uint8Array>>()
