import { Elysia } from 'elysia'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { fromClient } from '../body.ts'
import type { Called, Door } from '../door.ts'

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  door: Door
}

/**
 * Whoever wrote a report may have written anything into it. Here it has no scripts, no forms, no
 * origin, no network, and no page of another server around it.
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

/** A letter takes up to three bytes more in what a form sends. */
const MOST_BYTES = 4 * 1024 * 1024

/** Saved reports as pages. The only place that shows one as it was written, or is being written. */
export function reports({ catalog, dispatch, door }: Parts) {
  const get = catalog.find(({ name }) => name === 'reports.get')
  const show = ({ request, route, server, params }: Called) =>
    door.serve({ request, route, server }, 'bearer or cookie', async ({ caller }) => {
      const { data } = await dispatch(caller!, get!, { report_id: numberOf(params!.report_id!) })
      const { body_html } = data as { body_html: string | null }
      return new Response(body_html ?? '', { headers: HEADERS })
    })
  const preview = (called: Called) =>
    door.serve(called, 'bearer or cookie', async () => {
      return new Response(await written(called.request), { headers: HEADERS })
    })
  const hidden = { detail: { hide: true }, parse: 'none' } as never
  return new Elysia({ name: 'reports' })
    .get('/reports/:report_id/view', show as never, hidden)
    .post('/reports/preview', preview as never, hidden)
}

function numberOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw fault.notFound('report_id', 'There is no such report', text, 'Follow the view_url of one')
}

/** What a form sends from the page on which a report is written. */
async function written(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BYTES)
    throw new Fault('too_large', 'A report has at most 1,048,576 letters')
  const sent = await fromClient(request, request.arrayBuffer())
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  const form = await new Response(sent, { headers }).formData().catch(() => undefined)
  return String(form?.get('body_html') ?? '')
}
