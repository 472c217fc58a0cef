import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import pino from 'pino'
import { readConfig } from '../../src/config/index.ts'
import { hashPassword } from '../../src/features/identity/accounts/model/passwords.ts'
import { people } from '../../src/features/identity/people/model/index.ts'
import { createApp } from '../../src/server/app.ts'
import { browserClient } from '../support/browser-client.ts'
import { type World, world } from '../support/world.ts'

const PASSWORD = 'a long enough password'

/** A server with rate limits. All requests of these tests come from the same address. */
async function limitedServer(env: Record<string, string> = {}) {
  const w = await world()
  const { store, clock, key } = w
  const config = { ...readConfig(env), url: 'http://localhost' }
  const log = pino({ level: 'silent' })
  const elapsed = () => clock.now.getTime()
  const { app } = createApp({ config, store, clock: clock.read, key, log, elapsed })
  const countStatuses = async (count: number, send: () => Promise<{ status: number }>) => {
    const counts: Record<number, number> = {}
    for (let i = 0; i < count; i++) {
      const { status } = await send()
      counts[status] = (counts[status] ?? 0) + 1
    }
    return counts
  }
  return { ...w, app, statuses: countStatuses, browser: () => browserClient(app) }
}

async function setPasswords({ store }: World | Awaited<ReturnType<typeof limitedServer>>) {
  const password_hash = await hashPassword(PASSWORD)
  await store.write((tx) => tx.update(people).set({ password_hash }))
}

test('anonymous API requests do not use up the limits of sign-in, pages or credentials', async () => {
  const { ada, app, statuses: countStatuses, browser, ...w } = await limitedServer()
  await setPasswords({ ada, app, statuses: countStatuses, browser, ...w })
  const stranger = browser()
  expect(await countStatuses(200, () => stranger.get('/api/v1/projects'))).toEqual({
    401: 120,
    429: 80,
  })
  const refusal = await stranger.get('/api/v1/projects')
  expect(refusal.headers.get('retry-after')).toBe('60')
  expect(JSON.parse(refusal.text).details).toEqual({ retry_after: 60 })
  const headers = { authorization: `Bearer ${ada.secret}` }
  expect((await stranger.get('/api/v1/projects', headers)).status).toBe(200)
  expect((await stranger.get('/sign-in')).status).toBe(200)
  expect((await stranger.get('/docs/manual')).status).toBe(200)
  const cleo = browser()
  const form = { email: 'cleo@example.com', password: PASSWORD }
  expect((await cleo.post('/sign-in', form)).status).toBe(303)
  expect((await cleo.get('/api/v1/projects')).status).toBe(200)
})

test('wrong passwords lock out neither another person nor a known browser', async () => {
  const w = await limitedServer()
  await setPasswords(w)
  const { statuses: countStatuses, browser } = w
  const owner = browser()
  const form = { email: 'ada@example.com', password: PASSWORD }
  expect((await owner.post('/sign-in', form)).status).toBe(303)
  await owner.post('/sign-out', {})
  const stranger = browser()
  const guess = () => stranger.post('/sign-in', { ...form, password: 'wrong' })
  expect(await countStatuses(50, guess)).toEqual({ 401: 5, 429: 45 })
  const refusal = await guess()
  expect([refusal.headers.get('retry-after'), refusal.headers.get('ratelimit-remaining')]).toEqual([
    '5',
    '68',
  ])
  expect((await owner.post('/sign-in', form)).status).toBe(303)
  expect((await browser().post('/sign-in', { ...form, email: 'cleo@example.com' })).status).toBe(
    303,
  )
})

test('a known browser can sign in after its address has used up the limits of sign-in and pages', async () => {
  const w = await limitedServer()
  await setPasswords(w)
  const { statuses: countStatuses, browser } = w
  const owner = browser()
  const form = { email: 'ada@example.com', password: PASSWORD }
  await owner.post('/sign-in', form)
  await owner.post('/sign-out', {})
  const stranger = browser()
  const post = () => stranger.post('/sign-in', { email: crypto.randomUUID(), password: '' })
  expect(await countStatuses(125, post)).toMatchObject({ 401: 119, 429: 6 })
  expect(await countStatuses(605, () => stranger.get('/sign-in'))).toEqual({ 200: 600, 429: 5 })
  expect((await owner.get('/sign-in')).status).toBe(200)
  expect((await owner.post('/sign-in', form)).status).toBe(303)
})

test('static files do not count against rate limits and are served with nosniff', async () => {
  const { browser, statuses: countStatuses } = await limitedServer()
  const stranger = browser()
  for (const path of ['/favicon.ico', '/icon.svg', '/look.css', '/forms.css', '/healthz']) {
    const { status, headers } = await stranger.get(path)
    expect([path, status, headers.get('ratelimit-limit')]).toEqual([path, 200, null])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  expect((await stranger.get('/favicon.ico')).headers.get('content-type')).toBe('image/x-icon')
  expect(await countStatuses(700, () => stranger.get('/favicon.ico'))).toEqual({ 200: 700 })
  expect((await stranger.get('/sign-in')).status).toBe(200)
})

test('a receiver has its own limit, and requests with a wrong signature do not use it up', async () => {
  const { ada, http, board, app, statuses: countStatuses } = await limitedServer()
  const receivers = `/api/v1/projects/${board.project_id}/pull-request-receivers`
  const created = await http(ada, 'POST', receivers, { host: 'github' })
  const { url, secret } = created.body.data
  const path = new URL(url).pathname
  const body = '{"zen":"x"}'
  const send = (signature: string) =>
    app.handle(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'x-github-event': 'ping', 'x-hub-signature-256': `sha256=${signature}` },
        body,
      }),
    )
  const validSignature = createHmac('sha256', secret).update(body).digest('hex')
  expect(await countStatuses(200, () => send('0'.repeat(64)))).toEqual({ 401: 120, 429: 80 })
  const response = await send(validSignature)
  expect([response.status, response.headers.get('ratelimit-limit')]).toEqual([200, '600'])
  expect(await countStatuses(605, () => send(validSignature))).toEqual({ 200: 599, 429: 6 })
})

test('a calendar feed has its own limit, and requests for unknown feeds do not use it up', async () => {
  const { ada, http, browser, statuses: countStatuses } = await limitedServer()
  const created = await http(ada, 'POST', '/api/v1/calendar/feeds', { title: 'Mine' })
  const path = new URL(created.body.data.url).pathname
  const stranger = browser()
  const guess = () => stranger.get(`/calendar/${'x'.repeat(43)}.ics`)
  expect(await countStatuses(130, guess)).toEqual({ 404: 120, 429: 10 })
  expect(await countStatuses(61, () => stranger.get(path))).toEqual({ 200: 60, 429: 1 })
})
