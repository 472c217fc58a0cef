import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  accountEmails,
  oldEmailSweep,
} from '../../../../src/features/identity/account_emails/model/index.ts'
import {
  browserAccounts,
  createRecoveryLink,
  deactivate,
  emailLinks,
} from '../../../../src/features/identity/accounts/model/index.ts'
import { people } from '../../../../src/features/identity/people/model/index.ts'
import { createServer } from '../../../../src/server/app.ts'
import { browserClient } from '../../../support/browser-client.ts'
import { MINUTE_MS, startMailWorker } from '../../../support/emails.ts'
import { smtpError, startMailServer } from '../../../support/smtp.ts'
import { waitUntil } from '../../../support/wait.ts'
import { type World, world } from '../../../support/world.ts'

const OLD_PASSWORD = 'correct horse battery'
const NEW_PASSWORD = 'paper lantern seven'
const ADA = 'ada@example.com'
const SESSIONS = '/api/v1/user/sessions'

type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** A world with email in which Ada has a password. */
async function worldWithLinks(options: Parameters<typeof startMailServer>[0] = {}) {
  const mailServer = await startMailServer(options)
  const w = await world({ hasBoard: false, env: { CORK_SMTP_URL: mailServer.url } })
  const weak = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
  const password_hash = await Bun.password.hash(OLD_PASSWORD, weak)
  const isAda = eq(people.actor_id, w.ada.caller.actor_id)
  await w.store.write((tx) => tx.update(people).set({ password_hash }).where(isAda))
  return { w, mailServer }
}

const servicesOf = ({ store, clock, key, config }: World) => ({
  ...{ store, clock: clock.read, key, server: createServer({ config, key }) },
})

const request = (w: World, kind: 'sign-in' | 'password', email = ADA, next = '/') =>
  browserClient(w.app).post('/sign-in/forgot', { email, kind, next })

const queued = ({ store }: World) =>
  store.read((tx) => tx.select().from(accountEmails).orderBy(accountEmails.email_id))

const pathIn = ({ text }: MailServer['emails'][number]) =>
  new URL(/^(?:Sign in|Set a new password): (\S+)$/m.exec(text)![1]!).pathname

/** Requests a link and returns its path once the email has arrived. */
async function emailedPath(
  { w, mailServer }: { w: World; mailServer: MailServer },
  kind: 'sign-in' | 'password' = 'sign-in',
) {
  const before = mailServer.emails.length
  await request(w, kind)
  await waitUntil(() => mailServer.emails.length > before)
  return pathIn(mailServer.emails.at(-1)!)
}

const isSignedIn = async (browser: ReturnType<typeof browserClient>) =>
  (await browser.get('/api/session/verify')).status === 200

const signIn = async (w: World, password: string) => {
  const browser = browserClient(w.app)
  await browser.post('/sign-in', { email: ADA, password })
  return browser
}

test('a sign-in link from an email signs in once, and shows the requested page', async () => {
  const context = await worldWithLinks()
  const { w, mailServer } = context
  startMailWorker(w)
  await request(w, 'sign-in', ' Ada@Example.com ', '/inbox?page=2')
  await waitUntil(() => mailServer.emails.length === 1)
  const [email] = mailServer.emails
  expect(email!.to).toEqual([ADA])
  expect(email!.headers.get('subject')).toBe('Sign in to Corkboard')
  const path = pathIn(email!)
  const browser = browserClient(w.app)
  expect((await browser.get(path)).text).toContain('<button>Sign in</button>')
  expect(await isSignedIn(browser)).toBe(false)
  const answer = await browser.post(path, {})
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/inbox?page=2'])
  expect(await isSignedIn(browser)).toBe(true)
  expect(JSON.parse((await browser.get(SESSIONS)).text).data.sessions).toMatchObject([
    { method: 'email', second_factor: null, signed_in_at: w.clock.now.toISOString() },
  ])
  const second = browserClient(w.app)
  expect((await second.post(path, {})).status).toBe(404)
  expect(await isSignedIn(second)).toBe(false)
})

test('a reset link sets a password, ends all sessions and signs in', async () => {
  const context = await worldWithLinks()
  const { w } = context
  startMailWorker(w)
  const other = await signIn(w, OLD_PASSWORD)
  const path = await emailedPath(context, 'password')
  const browser = browserClient(w.app)
  const short = await browser.post(path, { password: 'short' })
  expect(short.text).toContain('must have at least 10 characters')
  expect((await browser.post(path, { password: NEW_PASSWORD })).status).toBe(303)
  expect(await isSignedIn(browser)).toBe(true)
  expect(await isSignedIn(other)).toBe(false)
  expect(await isSignedIn(await signIn(w, OLD_PASSWORD))).toBe(false)
  expect(await isSignedIn(await signIn(w, NEW_PASSWORD))).toBe(true)
  expect((await w.changes()).find(({ type }) => type === 'password.changed')).toMatchObject({
    actor_id: w.ada.caller.actor_id,
    data: { ended: 1, revoked: 0, by: 'email' },
  })
  expect((await browser.post(path, { password: OLD_PASSWORD })).status).toBe(404)
})

test('the answer is the same whether or not an account exists, and comes before the look-up', async () => {
  const { w } = await worldWithLinks()
  await w.store.write((tx) =>
    tx
      .update(people)
      .set({ deactivated_at: w.clock.now })
      .where(eq(people.actor_id, w.gus.caller.actor_id)),
  )
  const answers: string[] = []
  for (const address of [ADA, 'gus@example.com', 'nobody@example.com']) {
    const { status, headers, text } = await request(w, 'password', address)
    const comparable = [...headers].filter(([name]) => !/^(x-request-id|date)$/.test(name))
    answers.push(JSON.stringify([status, comparable, text.replaceAll(address, '…')]))
    expect(await queued(w)).toEqual([])
  }
  expect(new Set(answers).size).toBe(1)
  await waitUntil(async () => (await queued(w)).length === 1)
  await Bun.sleep(300)
  expect(await queued(w)).toMatchObject([{ actor_id: w.ada.caller.actor_id }])
})

test('scanners that open a link with GET or HEAD change nothing', async () => {
  const context = await worldWithLinks()
  const { w } = context
  startMailWorker(w)
  for (const kind of ['sign-in', 'password'] as const) {
    const path = await emailedPath(context, kind)
    // The email arrives before it is recorded as sent.
    await waitUntil(async () => (await queued(w)).every(({ due_at }) => due_at === null))
    const before = await queued(w)
    for (const method of ['GET', 'HEAD', 'GET'])
      expect((await w.app.handle(new Request(`http://localhost${path}`, { method }))).status).toBe(
        200,
      )
    expect(await queued(w)).toEqual(before)
    const fields: Record<string, string> = kind === 'password' ? { password: NEW_PASSWORD } : {}
    expect((await browserClient(w.app).post(path, fields)).status).toBe(303)
  }
})

test('an expired, unknown or misdirected link shows the same page', async () => {
  const context = await worldWithLinks()
  const { w } = context
  startMailWorker(w)
  const signInPath = await emailedPath(context)
  const get = async (path: string) => {
    const { status, text } = await browserClient(w.app).get(path)
    return JSON.stringify([status, text])
  }
  const misdirected = await get(signInPath.replace('/email/', '/password/'))
  const unknown = await get('/sign-in/email/nothing')
  w.clock.advance(15 * MINUTE_MS)
  const expired = await get(signInPath)
  expect(new Set([misdirected, unknown, expired]).size).toBe(1)
  expect(expired).toContain('This link does not work')
  expect((await browserClient(w.app).post(signInPath, {})).status).toBe(404)
})

test('using a link and changing the password end all other links', async () => {
  const context = await worldWithLinks()
  const { w } = context
  startMailWorker(w)
  const [older, newer] = [await emailedPath(context), await emailedPath(context)]
  expect((await browserClient(w.app).post(newer, {})).status).toBe(303)
  expect((await browserClient(w.app).post(older, {})).status).toBe(404)

  const third = await emailedPath(context)
  const browser = await signIn(w, OLD_PASSWORD)
  const change = { old_password: OLD_PASSWORD, new_password: NEW_PASSWORD }
  expect((await browser.json('PUT', '/api/v1/user/password', change)).status).toBe(200)
  expect((await browserClient(w.app).get(third)).status).toBe(404)
})

test('of concurrent uses of one link, one signs in', async () => {
  const context = await worldWithLinks()
  const { w } = context
  startMailWorker(w)
  const path = await emailedPath(context)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => browserClient(w.app).post(path, {})),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404, 404])
})

test('a person gets at most five links an hour, and the page does not reveal it', async () => {
  const { w } = await worldWithLinks()
  for (let count = 1; count <= 7; count++) {
    expect((await request(w, 'sign-in')).text).toContain('Check your email')
    await waitUntil(async () => (await queued(w)).length === Math.min(count, 5))
  }
  await Bun.sleep(300)
  expect(await queued(w)).toHaveLength(5)
  w.clock.advance(60 * MINUTE_MS + 1)
  await request(w, 'sign-in')
  await waitUntil(async () => (await queued(w)).length === 6)
})

test('a network that requests too many links has to wait, whatever the addresses', async () => {
  const { w } = await worldWithLinks()
  const statuses: number[] = []
  for (let count = 1; count <= 21; count++)
    statuses.push((await request(w, 'sign-in', `nobody${count}@example.com`)).status)
  expect(new Set(statuses.slice(0, 20))).toEqual(new Set([200]))
  expect(statuses.at(-1)).toBe(429)
  w.clock.advance(60 * MINUTE_MS)
  expect((await request(w, 'sign-in')).status).toBe(200)
})

test('a failed email is sent again with the same link, which is stored nowhere', async () => {
  const context = await worldWithLinks({
    onAccepted: (nth) => (nth === 1 ? smtpError(451, 'Later') : undefined),
  })
  const { w, mailServer } = context
  startMailWorker(w)
  const first = await emailedPath(context)
  await waitUntil(async () => (await queued(w))[0]!.attempts === 1)
  w.clock.advance(MINUTE_MS)
  await waitUntil(() => mailServer.emails.length === 2)
  expect(pathIn(mailServer.emails[1]!)).toBe(first)
  const stored = JSON.stringify([await queued(w), await w.changes(), w.logRecords])
  expect(stored).not.toContain(first.split('/').at(-1)!)
  expect((await browserClient(w.app).post(first, {})).status).toBe(303)
})

test('emails are deleted a day after they expired', async () => {
  const { w } = await worldWithLinks()
  await request(w, 'sign-in')
  await waitUntil(async () => (await queued(w)).length === 1)
  const sweep = async () => {
    const { ids } = await w.store.read((tx) => oldEmailSweep.find(tx, w.clock.now, 10))
    return w.store.write((tx) => oldEmailSweep.run(tx, w.clock.now, ids))
  }
  w.clock.advance(24 * 60 * MINUTE_MS)
  expect(await sweep()).toBe(0)
  w.clock.advance(15 * MINUTE_MS + 1)
  expect(await sweep()).toBe(1)
  expect(await queued(w)).toEqual([])
})

test('links of a deactivated person stop working, and no email is sent', async () => {
  const context = await worldWithLinks()
  const { w, mailServer } = context
  const services = servicesOf(w)
  await w.ada['teams.set_role']({
    ...{ team_id: w.team_id, user_id: w.ben.caller.actor_id, role: 'owner' },
  })
  const stop = startMailWorker(w)
  const path = await emailedPath(context)
  await stop()
  await request(w, 'password')
  await waitUntil(async () => (await queued(w)).length === 2)
  await deactivate(services, ADA)
  startMailWorker(w)
  await Bun.sleep(150)
  expect(mailServer.emails).toHaveLength(1)
  expect((await browserClient(w.app).post(path, {})).status).toBe(404)
})

test('a sign-in in another browser is reported by email, but not the first or a known one', async () => {
  const { w, mailServer } = await worldWithLinks()
  startMailWorker(w)
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0'
  const send = (browser: ReturnType<typeof browserClient>) =>
    browser.post('/sign-in', { email: ADA, password: OLD_PASSWORD }, { 'user-agent': firefox })
  const known = browserClient(w.app)
  await send(known)
  await send(known)
  expect(await queued(w)).toEqual([])
  await send(browserClient(w.app))
  await waitUntil(() => mailServer.emails.length === 1)
  const [email] = mailServer.emails
  expect(email!.headers.get('subject')).toBe('New sign-in to your Corkboard account')
  expect(email!.text).toContain('Browser: Firefox on Linux')
  expect(email!.text).toContain('Time: 2026-11-20 13:00, Europe/Berlin')
  expect(email!.text).toContain('http://localhost/settings/security')
})

test('a server without email refers to the operator, whose link works without email', async () => {
  const w = await world({ hasBoard: false })
  const browser = browserClient(w.app)
  for (const page of [await browser.get('/sign-in/forgot'), await request(w, 'sign-in')])
    expect(page.text).toContain('cork user recover')
  const services = servicesOf(w)
  const { link } = await createRecoveryLink(services, ADA)
  const path = new URL(link).pathname
  expect((await browser.get(path)).text).toContain('Sign in without a new password')
  const other = browserClient(w.app)
  expect((await other.post(path.replace('/password/', '/email/'), {})).status).toBe(303)
  expect(JSON.parse((await other.get(SESSIONS)).text).data.sessions).toMatchObject([
    { method: 'recovery' },
  ])
  expect((await browser.post(path, { password: NEW_PASSWORD })).status).toBe(404)

  const second = new URL((await createRecoveryLink(services, ADA)).link).pathname
  expect((await browser.post(second, { password: NEW_PASSWORD })).status).toBe(303)
  expect(await isSignedIn(other)).toBe(true)
  expect(await isSignedIn(await signIn(w, NEW_PASSWORD))).toBe(true)
  expect((await w.changes()).map(({ type }) => type)).toContain('person.recovered')
})

test('without passwords, only links of the operator work', async () => {
  const { w, mailServer } = await worldWithLinks()
  startMailWorker(w)
  const path = await emailedPath({ w, mailServer })
  const client = { address: '127.0.0.1', network: '127.0.0.1', browser: null, cookies: null }
  const services = servicesOf(w)
  const links = emailLinks(services, {
    ...browserAccounts(services),
    ...{ passwords: false, onError: () => {} },
  })
  expect(links.isAvailable).toBe(false)
  const request = { kind: 'sign-in' as const, email: ADA, next: '/' }
  expect(() => links.request(request, client)).toThrow('This server sends no links by email')
  const token = path.split('/').at(-1)!
  await expect(links.signIn(token, client)).rejects.toThrow('This link is not valid')
  const { link } = await createRecoveryLink(services, ADA)
  const signedIn = await links.signIn(link.split('/').at(-1)!, client)
  expect(signedIn.cookies.join()).toContain('cork_session=')
})
