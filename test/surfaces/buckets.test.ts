import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import pino from 'pino'
import { readConfig } from '../../src/config/index.ts'
import { hashPassword } from '../../src/features/accounts/passwords.ts'
import { people } from '../../src/features/people/index.ts'
import { createApp } from '../../src/server/app.ts'
import { visitor } from '../visitor.ts'
import { type World, world } from '../world.ts'

const PASSWORD = 'a long enough password'

/** A server with rate limits. All requests of these tests come from the same address. */
async function limited(env: Record<string, string> = {}) {
  const played = await world()
  const { store, clock, key } = played
  const config = { ...readConfig(env), url: 'http://localhost' }
  const log = pino({ level: 'silent' })
  const elapsed = () => clock.now.getTime()
  const { app } = createApp({ config, store, clock: clock.read, key, log, elapsed })
  const statuses = async (many: number, ask: () => Promise<{ status: number }>) => {
    const all: Record<number, number> = {}
    for (let i = 0; i < many; i++) {
      const { status } = await ask()
      all[status] = (all[status] ?? 0) + 1
    }
    return all
  }
  return { ...played, app, statuses, browser: () => visitor(app) }
}

async function passworded({ store }: World | Awaited<ReturnType<typeof limited>>) {
  const password_hash = await hashPassword(PASSWORD)
  await store.write((tx) => tx.update(people).set({ password_hash }))
}

test('anonymous API requests do not use up the limits of sign-in, pages or credentials', async () => {
  const { ada, app, statuses, browser, ...played } = await limited()
  await passworded({ ada, app, statuses, browser, ...played })
  const stranger = browser()
  expect(await statuses(200, () => stranger.get('/api/v1/projects'))).toEqual({ 401: 120, 429: 80 })
  const refused = await stranger.get('/api/v1/projects')
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(JSON.parse(refused.text).details).toEqual({ retry_after: 60 })
  const known = { authorization: `Bearer ${ada.secret}` }
  expect((await stranger.get('/api/v1/projects', known)).status).toBe(200)
  expect((await stranger.get('/sign-in')).status).toBe(200)
  expect((await stranger.get('/docs/manual')).status).toBe(200)
  const cleo = browser()
  const proof = { email: 'cleo@example.com', password: PASSWORD }
  expect((await cleo.post('/sign-in', proof)).status).toBe(303)
  expect((await cleo.get('/api/v1/projects')).status).toBe(200)
})

test('wrong passwords lock out neither another person nor a known browser', async () => {
  const played = await limited()
  await passworded(played)
  const { statuses, browser } = played
  const owner = browser()
  const proof = { email: 'ada@example.com', password: PASSWORD }
  expect((await owner.post('/sign-in', proof)).status).toBe(303)
  await owner.post('/sign-out', {})
  const stranger = browser()
  const guess = () => stranger.post('/sign-in', { ...proof, password: 'wrong' })
  expect(await statuses(50, guess)).toEqual({ 401: 5, 429: 45 })
  const refused = await guess()
  expect([refused.headers.get('retry-after'), refused.headers.get('ratelimit-remaining')]).toEqual([
    '5',
    '68',
  ])
  expect((await owner.post('/sign-in', proof)).status).toBe(303)
  expect((await browser().post('/sign-in', { ...proof, email: 'cleo@example.com' })).status).toBe(
    303,
  )
})

test('a known browser can sign in after its address has used up the limits of sign-in and pages', async () => {
  const played = await limited()
  await passworded(played)
  const { statuses, browser } = played
  const owner = browser()
  const proof = { email: 'ada@example.com', password: PASSWORD }
  await owner.post('/sign-in', proof)
  await owner.post('/sign-out', {})
  const stranger = browser()
  const post = () => stranger.post('/sign-in', { email: crypto.randomUUID(), password: '' })
  expect(await statuses(125, post)).toMatchObject({ 401: 119, 429: 6 })
  expect(await statuses(605, () => stranger.get('/sign-in'))).toEqual({ 200: 600, 429: 5 })
  expect((await owner.get('/sign-in')).status).toBe(200)
  expect((await owner.post('/sign-in', proof)).status).toBe(303)
})

test('static files do not count against rate limits and are served with nosniff', async () => {
  const { browser, statuses } = await limited()
  const stranger = browser()
  for (const path of ['/favicon.ico', '/icon.svg', '/look.css', '/forms.css', '/healthz']) {
    const { status, headers } = await stranger.get(path)
    expect([path, status, headers.get('ratelimit-limit')]).toEqual([path, 200, null])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  expect((await stranger.get('/favicon.ico')).headers.get('content-type')).toBe('image/x-icon')
  expect(await statuses(700, () => stranger.get('/favicon.ico'))).toEqual({ 200: 700 })
  expect((await stranger.get('/sign-in')).status).toBe(200)
})

test('a receiver has its own limit, and requests with a wrong signature do not use it up', async () => {
  const { ada, http, board, app, statuses } = await limited()
  const receivers = `/api/v1/projects/${board.project_id}/pull-request-receivers`
  const made = await http(ada, 'POST', receivers, { host: 'github' })
  const { url, secret } = made.body.data
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
  const right = createHmac('sha256', secret).update(body).digest('hex')
  expect(await statuses(200, () => send('0'.repeat(64)))).toEqual({ 401: 120, 429: 80 })
  const heard = await send(right)
  expect([heard.status, heard.headers.get('ratelimit-limit')]).toEqual([200, '600'])
  expect(await statuses(605, () => send(right))).toEqual({ 200: 599, 429: 6 })
})

test('a calendar feed has its own limit, and requests for unknown feeds do not use it up', async () => {
  const { ada, http, browser, statuses } = await limited()
  const made = await http(ada, 'POST', '/api/v1/calendar/feeds', { title: 'Mine' })
  const path = new URL(made.body.data.url).pathname
  const stranger = browser()
  const guess = () => stranger.get(`/calendar/${'x'.repeat(43)}.ics`)
  expect(await statuses(130, guess)).toEqual({ 404: 120, 429: 10 })
  expect(await statuses(61, () => stranger.get(path))).toEqual({ 200: 60, 429: 1 })
})
