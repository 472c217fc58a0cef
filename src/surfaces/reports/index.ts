import { Elysia } from 'elysia'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { fromClient } from '../body.ts'
import type { Gateway, IncomingRequest } from '../gateway.ts'

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  gateway: Gateway
}

/**
 * A report may contain anything. The sandbox allows no scripts, no forms, no origin and no network,
 * and no other server can embed it.
 */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
}

/** Form encoding makes a report up to four times as long. */
const MAX_BYTES = 4 * 1024 * 1024

/** Serves saved reports and previews. No other route sends one unsanitized. */
export function reports({ catalog, dispatch, gateway }: Parts) {
  const get = catalog.find(({ name }) => name === 'reports.get')
  const show = ({ request, route, server, params }: IncomingRequest) =>
    gateway.serve({ request, route, server }, 'bearer or cookie', async ({ caller }) => {
      const { data } = await dispatch(caller!, get!, { report_id: numberOf(params!.report_id!) })
      const { body_html } = data as { body_html: string | null }
      return new Response(body_html ?? '', { headers: HEADERS })
    })
  const preview = (incoming: IncomingRequest) =>
    gateway.serve(incoming, 'bearer or cookie', async () => {
      return new Response(await readPreview(incoming.request), { headers: HEADERS })
    })
  const hidden = { detail: { hide: true }, parse: 'none' } as never
  return new Elysia({ name: 'reports' })
    .get('/reports/:report_id/view', show as never, hidden)
    .post('/reports/preview', preview as never, hidden)
}

function numberOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw fault.notFound(
    'report_id',
    'There is no such report',
    text,
    'Open the view_url of a report',
  )
}

/** The HTML that the report editor sends as a form. */
async function readPreview(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES)
    throw new Fault('too_large', 'A report can have at most 1,048,576 characters')
  const bytes = await fromClient(request, request.arrayBuffer())
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  const form = await new Response(bytes, { headers }).formData().catch(() => undefined)
  return String(form?.get('body_html') ?? '')
}
