import { expect, test } from 'bun:test'
import pino from 'pino'
import { readConfig } from '../../src/config/index.ts'
import { createApp } from '../../src/server/app.ts'
import { browserClient } from '../support/browser-client.ts'
import { world } from '../support/world.ts'

async function startServer(url: string, env: Record<string, string> = {}) {
  const { ada, ...w } = await world()
  const { store, clock, key } = w
  const config = { ...readConfig(env), url, rateBase: 0, rateAgent: 0, data: w.config.data }
  const { app } = createApp({
    config,
    store,
    clock: clock.read,
    key,
    log: pino({ level: 'silent' }),
  })
  const browser = browserClient(app)
  const asAda = { authorization: `Bearer ${ada.secret}` }
  return { ...w, ada, app, browser, asAda }
}

const PATHS = ['/api/v1/projects', '/sign-in', '/look.css', '/healthz', '/docs/json', '/nowhere']

test('every response has the nosniff header', async () => {
  const { browser, asAda } = await startServer('http://localhost')
  for (const path of [...PATHS, '/assets/none.js', '/metrics', '/api/v1/unknown', '/mcp'])
    expect([path, (await browser.get(path, asAda)).headers.get('x-content-type-options')]).toEqual([
      path,
      'nosniff',
    ])
})

test('JSON is not cached, and attachments are cached privately', async () => {
  const { browser, ada, asAda, tasks, http } = await startServer('http://localhost')
  const refusal = await browser.get('/api/v1/projects')
  const read = await browser.get('/api/v1/projects', asAda)
  const healthy = await browser.get('/healthz')
  for (const { headers } of [refusal, read, healthy])
    expect(headers.get('cache-control')).toBe('no-store')
  // The document has its own cache header.
  expect((await browser.get('/docs/json')).headers.get('cache-control')).toBe('no-cache')
  const files = [{ filename: 'a.txt', content_type: 'text/plain', data: btoa('a') }]
  const { ticket_number } = tasks.logo
  const { attachments } = await ada['attachments.create']({ ticket_number, files })
  const path = `/api/v1/attachments/${attachments[0]!.attachment_id}/content`
  const { headers } = await http(ada, 'GET', path)
  expect(headers.get('cache-control')).toStartWith('private, max-age=')
})

test('a server with an https address sends Strict-Transport-Security, and no other does', async () => {
  const secure = await startServer('https://board.example.com')
  const plain = await startServer('http://localhost')
  for (const path of PATHS) {
    const { headers } = await secure.browser.get(path)
    expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
    expect((await plain.browser.get(path)).headers.has('strict-transport-security')).toBe(false)
  }
  const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
  const stranger = await plain.browser.get('/sign-in', forwarded)
  expect(stranger.headers.has('strict-transport-security')).toBe(false)
})
