import { expect, test } from 'bun:test'
import type { Scope } from '../../src/kernel/caller.ts'
import { world } from '../support/world.ts'

const SOURCE = `<!doctype html><title>Mine</title><p class="a">1 < 2 & "so"</p><script>let x = '&lt;'</script>`

async function createCanvas() {
  const w = await world()
  const { task_id } = w.tasks.logo
  const sketch = { task_id, canvas: true, title: 'A "sketch" </title><script>' }
  const { page_id } = await w.cleo['pages.create']({ ...sketch, content: SOURCE })
  return { w, page_id, task_id, path: `/api/v1/pages/${page_id}/canvas` }
}

test('a canvas is shown unchanged in the frame of a page that has no other content', async () => {
  const { w, path } = await createCanvas()
  const { status, headers, text } = await w.http(w.cleo, 'GET', path)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const quoted = /srcdoc="([^"]*)"/.exec(text)![1]!
  const decoded = quoted
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
  expect(decoded).toBe(SOURCE)
  expect(text.replace(quoted, '')).not.toMatch(/<script|<p\b/)
})

test('the policy of a canvas allows scripts, but no origin, network or caching', async () => {
  const { w, path } = await createCanvas()
  const { headers } = await w.http(w.cleo, 'GET', path)
  const policy = headers.get('content-security-policy')!.split('; ')
  for (const rule of ["default-src 'none'", 'sandbox allow-scripts', "base-uri 'none'"])
    expect(policy).toContain(rule)
  expect(policy.join()).not.toMatch(/https?:|\*|allow-same-origin|allow-top|'self'|blob:/)
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('private, no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

test('a canvas is found by number or public id, by callers who can read the page and no others', async () => {
  const { w, path, page_id, task_id } = await createCanvas()
  const { public_id, canvas_url } = await w.cleo['pages.get']({ page_id })
  expect(canvas_url).toBe(`http://localhost${path}`)
  const statusOf = async (actor: { secret: string } | undefined, url = path) =>
    (await w.http(actor, 'GET', url)).status
  expect(await statusOf(w.ben, `/api/v1/pages/${public_id}/canvas`)).toBe(200)
  expect(await statusOf(undefined)).toBe(401)
  expect(await statusOf(w.otto)).toBe(404)
  const scopes: Scope[] = ['tasks:read']
  expect(await statusOf(await w.authenticateAs(w.cleo.caller.actor_id, 'key', scopes))).toBe(403)
  expect(await statusOf(w.cleo, '/api/v1/pages/99/canvas')).toBe(404)
  const { page_id: plainPageId } = await w.cleo['pages.create']({ task_id, content: 'Words.' })
  const response = await w.http(w.cleo, 'GET', `/api/v1/pages/${plainPageId}/canvas`)
  expect([response.status, response.body.message]).toEqual([
    404,
    `Page ${plainPageId} is not a canvas`,
  ])
  await w.cleo['pages.archive']({ page_id })
  expect(await statusOf(w.cleo)).toBe(200)
  const reads: Scope[] = ['tasks:read', 'pages:read']
  expect(await statusOf(await w.authenticateAs(w.cleo.caller.actor_id, 'key', reads))).toBe(404)
})

test('other routes return a canvas as JSON, and its HTML format without scripts', async () => {
  const { w, page_id } = await createCanvas()
  for (const url of [`/api/v1/pages/${page_id}?format=html`, `/api/v1/pages/${page_id}/source`]) {
    const { headers } = await w.http(w.cleo, 'GET', url)
    expect(headers.get('content-type')).toStartWith('application/json')
  }
  const { content } = await w.cleo['pages.get']({ page_id, format: 'html' })
  expect(content).not.toContain('<script')
})
