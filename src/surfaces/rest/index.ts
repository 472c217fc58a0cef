import { Elysia } from 'elysia'
import type { Answer, Dispatch } from '../../kernel/dispatch.ts'
import { Fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { type Door, type Knock, readJson, type Visit } from '../door.ts'
import { inputOf, queryOf, type Route, routesOf } from './routes.ts'

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  door: Door
}

interface Called {
  request: Request
  params?: Record<string, string>
  server: { requestIP(request: Request): { address: string } | null } | null
}

export const knock = ({ request, server }: Pick<Called, 'request' | 'server'>): Knock => ({
  request,
  address: server?.requestIP(request)?.address ?? 'local',
})

/** Every operation that names a route, served there. */
export function rest({ catalog, dispatch, door }: Parts) {
  const app = new Elysia({ name: 'rest' })
  const routes = routesOf(catalog)
  for (const { method, path, op } of routes) {
    const entry = path.startsWith('/api/mcp/') ? 'bearer' : 'bearer or cookie'
    const handler = (called: Called) =>
      door.serve(knock(called), entry, async (visit) => {
        const body = method === 'GET' ? undefined : await readJson(called.request)
        const input = inputOf(op, body, queryOf(called.request.url), called.params ?? {})
        const key = called.request.headers.get('idempotency-key') ?? undefined
        const answer = await dispatch(visit.caller!, op, input, method === 'POST' ? key : undefined)
        return enveloped(op, answer, visit)
      })
    app.route(method, path, handler as never, { parse: 'none' } as never)
  }
  for (const [path, methods] of methodsByPath(routes))
    app.all(path, (called) =>
      door.serve(knock(called as Called), 'bearer or cookie', (visit) => refuse(methods, visit)),
    )
  return app
}

function enveloped(op: AnyOperation, answer: Answer, visit: Visit) {
  const { data, page, warnings, replayed } = answer
  if (op.name.endsWith('.create')) visit.status = 201
  if (replayed) visit.headers['idempotent-replayed'] = 'true'
  return { success: true, data, ...(page && { page }), ...(warnings && { warnings }) }
}

function methodsByPath(routes: readonly Route[]) {
  const methods = new Map<string, string[]>()
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}

async function refuse(methods: string[], visit: Visit): Promise<never> {
  visit.headers.allow = methods.join(', ')
  throw new Fault('method_not_allowed', `Only ${methods.join(', ')} is served here`)
}
