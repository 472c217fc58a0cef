import { Elysia } from 'elysia'
import type { Answer, Dispatch } from '../../kernel/dispatch.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { readJson } from '../body.ts'
import { type Called, type Door, knock, type Visit } from '../door.ts'
import { meant } from './compat.ts'
import { detailOf } from './detail.ts'
import { inputOf, queryOf, routesOf } from './routes.ts'

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  door: Door
}

/** Every operation that names a route, served there. */
export function rest({ catalog, dispatch, door }: Parts) {
  const app = new Elysia({ name: 'rest' })
  for (const route of routesOf(catalog)) {
    const { method, path, op } = route
    const entry = path.startsWith('/api/mcp/') ? 'bearer' : 'bearer or cookie'
    const handler = (called: Called) =>
      door.serve(knock(called), entry, async (visit) => {
        const body = method === 'GET' ? undefined : await readJson(called.request)
        const query = queryOf(called.request.url)
        const asked = meant(op, catalog, body, query)
        const input = inputOf(asked, body, query, called.params ?? {})
        const sent = called.request.headers.get('idempotency-key') ?? undefined
        const key = method === 'POST' ? sent : undefined
        return enveloped(asked, await dispatch(visit.caller!, asked, input, key), visit)
      })
    const hooks = { parse: 'none', detail: detailOf(route, meant(op, catalog, { task_id: 0 })) }
    app.route(method, path, handler as never, hooks as never)
  }
  return app
}

function enveloped(op: AnyOperation, answer: Answer, visit: Visit) {
  const { data, page, warnings, replayed } = answer
  if (op.name.endsWith('.create')) visit.status = 201
  if (replayed) visit.headers['idempotent-replayed'] = 'true'
  return { success: true, data, ...(page && { page }), ...(warnings && { warnings }) }
}
