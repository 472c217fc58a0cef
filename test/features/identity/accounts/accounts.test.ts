import { expect, test } from 'bun:test'
import pino from 'pino'
import { readConfig } from '../../../../src/config/index.ts'
import {
  browserAccounts,
  isEmpty,
  setUpFromCli,
  setUpLink,
} from '../../../../src/features/identity/accounts/model/index.ts'
import { SigningKey } from '../../../../src/features/identity/credentials/model/index.ts'
import { people } from '../../../../src/features/identity/people/model/index.ts'
import { createApp, createServer } from '../../../../src/server/app.ts'
import { changesSince } from '../../../../src/store/log.ts'
import { browserClient } from '../../../support/browser-client.ts'
import { createDatabaseLocation, openTestStore } from '../../../support/database.ts'
import { TestClock } from '../../../support/world.ts'

const requestFrom = (address: string, cookies: string | null = null) => ({
  ...{ address, network: address, browser: null, cookies },
})
const HOME = requestFrom('home')
const DAY_MS = 24 * 60 * 60 * 1000
const ADA = {
  name: 'Ada',
  email: 'Ada@Example.com',
  password: 'correct horse battery',
  team: 'Harbour',
}

/** Returns a server that is not set up yet. */
async function openEmptyServer() {
  const clock = new TestClock()
  const store = await openTestStore(await createDatabaseLocation(), clock.read)
  const config = { ...readConfig({}), url: 'http://localhost', rateBase: 0, rateAgent: 0 }
  const key = new SigningKey(new Uint8Array(32).fill(7))
  const server = { ...createServer({ config, key }), elapsed: () => clock.now.getTime() }
  const log = pino({ level: 'silent' })
  const { app } = createApp({ config, store, clock: clock.read, key, log })
  const setup = { store, clock: clock.read, server, key }
  const token = () => new URL(setUpLink(setup)).searchParams.get('token')!
  return { setup, app, clock, store, token, accounts: browserAccounts(setup) }
}

const faultOf = (job: Promise<unknown>) =>
  job.then(
    () => undefined,
    ({ code, message, details, hint }) => ({ code, message, details, hint }),
  )

test('a setup link creates the first owner once and is then refused with a conflict', async () => {
  const { app, store, token, accounts } = await openEmptyServer()
  const [link, other] = [token(), token()]
  expect(await store.read(isEmpty)).toBe(true)
  const cookies = await accounts.setUp({ ...ADA, token: link }, HOME)
  expect(cookies[0]).toStartWith('cork_session=1.')
  expect(await store.read(isEmpty)).toBe(false)
  const [ada] = await store.read((tx) => tx.select().from(people))
  expect(ada!.email).toBe('ada@example.com')
  expect(ada!.password_hash).toStartWith('$argon2id$')
  const log = await store.read((tx) => changesSince(tx, 0, 10))
  expect(log.map(({ type }) => type)).toEqual(['person.created', 'team.created', 'session.opened'])
  expect(JSON.stringify(log)).not.toContain('correct horse')
  for (const again of [link, other])
    expect(
      await faultOf(accounts.setUp({ ...ADA, email: 'eve@example.com', token: again }, HOME)),
    ).toMatchObject({ code: 'conflict', message: 'This server is already set up' })
  const eve = browserClient(app)
  expect((await eve.get(`/setup?token=${link}`)).status).toBe(409)
})

test('the setup page validates its fields, refuses cross-site posts and signs the owner in', async () => {
  const { app, token } = await openEmptyServer()
  const browser = browserClient(app)
  const path = `/setup?token=${token()}`
  expect((await browser.get(path)).text).toContain('name="team"')
  const fields = { ...ADA, token: token(), email: 'ada' }
  const invalid = await browser.post('/setup', fields)
  expect(invalid.status).toBe(400)
  expect(invalid.text).toContain('id="setup-email-error">Email must look like name@example.com.')
  expect(invalid.text).toContain('value="Harbour"')
  expect(invalid.text).not.toContain(ADA.password)
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  expect((await browser.post('/setup', { ...fields, email: ADA.email }, crossSite)).status).toBe(
    403,
  )
  expect((await browser.post('/setup', { ...fields, email: ADA.email })).status).toBe(303)
  expect(browser.cookies.get('cork_first')).toBe('yes')
  expect((await browser.get('/api/v1/user/context')).text).toContain('ada@example.com')
  expect((await browser.get('/api/v1/projects')).status).toBe(200)
})

test('two concurrent setups create only one owner', async () => {
  const { store, token, accounts } = await openEmptyServer()
  const both = ['ada@example.com', 'eve@example.com'].map((email) =>
    accounts.setUp({ ...ADA, email, token: token() }, HOME),
  )
  const outcomes = await Promise.allSettled(both)
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await store.read((tx) => tx.select().from(people))).toHaveLength(1)
})

test('a malformed, forged or expired setup link is refused', async () => {
  const { token, clock, accounts } = await openEmptyServer()
  const link = token()
  const [expiresAt, nonce, seal] = link.split('.')
  for (const bad of [
    '',
    'x',
    `${Number(expiresAt) + DAY_MS}.${nonce}.${seal}`,
    `${expiresAt}.${nonce}.`,
  ])
    expect(await faultOf(accounts.checkSetUp(bad))).toMatchObject({ code: 'forbidden' })
  clock.advance(7 * DAY_MS)
  expect(await faultOf(accounts.checkSetUp(link))).toMatchObject({
    message: 'This setup link has expired',
    hint: expect.stringContaining('Restart the server'),
  })
})

for (const [field, code, change] of [
  ['name', 'required', { name: '  ' }],
  ['email', 'required', { email: '' }],
  ['email', 'invalid_format', { email: 'ada' }],
  ['email', 'invalid_format', { email: 'ada@example' }],
  ['email', 'invalid_format', { email: 'a b@example.com' }],
  ['email', 'too_long', { email: `${'a'.repeat(250)}@example.com` }],
  ['password', 'required', { password: '' }],
  ['password', 'out_of_range', { password: 'nine char' }],
  ['password', 'too_long', { password: 'x'.repeat(201) }],
  ['team', 'required', { team: '' }],
] as const)
  test(`setup with ${JSON.stringify(change).slice(0, 50)} is refused`, async () => {
    const { store, token, accounts } = await openEmptyServer()
    const fault = await faultOf(accounts.setUp({ ...ADA, ...change, token: token() }, HOME))
    expect(fault).toMatchObject({ code: 'invalid', details: { field, code } })
    if (field === 'password') expect(fault!.details.value).toBeUndefined()
    expect(await store.read(isEmpty)).toBe(true)
  })

test('cork init creates an owner, an API key and an MCP token, and only on an empty server', async () => {
  const { setup, app } = await openEmptyServer()
  const { password: _, ...init } = ADA
  const credentials = await setUpFromCli(setup, init)
  expect(credentials).toEqual({
    user_id: 1,
    team_id: 1,
    api_key: expect.stringMatching(/^cork_/),
    mcp_token: expect.stringMatching(/^ey/),
  })
  for (const secret of [credentials.api_key, credentials.mcp_token]) {
    const response = await browserClient(app).get('/api/v1/projects', {
      authorization: `Bearer ${secret}`,
    })
    expect(response.status).toBe(200)
  }
  expect(await faultOf(setUpFromCli(setup, init))).toMatchObject({ code: 'conflict' })
})

test('an account without a password refuses every password, including an empty one', async () => {
  const { setup, accounts } = await openEmptyServer()
  const { password: _, ...init } = ADA
  await setUpFromCli(setup, init)
  for (const password of ['', 'anything at all'])
    expect(
      await faultOf(accounts.signIn({ email: ADA.email, password }, requestFrom('here'))),
    ).toMatchObject({
      code: 'unauthenticated',
    })
})

async function openServerWithOwner() {
  const empty = await openEmptyServer()
  await empty.accounts.setUp({ ...ADA, token: empty.token() }, HOME)
  return empty
}

test('sign-in ignores email case and does not reveal whether email or password was wrong', async () => {
  const { accounts } = await openServerWithOwner()
  const attempts = [
    { email: ADA.email, password: 'wrong' },
    { email: 'nobody@example.com', password: ADA.password },
    { email: '', password: '' },
  ]
  const answers = await Promise.all(
    attempts.map((proof) => faultOf(accounts.signIn(proof, requestFrom('here')))),
  )
  for (const answer of answers) expect(answer).toEqual(answers[0]!)
  expect(answers[0]).toMatchObject({ code: 'unauthenticated', details: {} })
  const { email, password } = ADA
  const signedIn = await accounts.signIn({ email: ` ${email.toUpperCase()}`, password }, HOME)
  expect(signedIn.cookies).toHaveLength(3)
})

test('wrong passwords delay further attempts from the same address only, longer each time', async () => {
  const { accounts, clock } = await openServerWithOwner()
  const { email, password } = ADA
  const guess = () => faultOf(accounts.signIn({ email, password: 'wrong' }, requestFrom('mallory')))
  const guesses = await Promise.all(Array.from({ length: 14 }, guess))
  const codes = guesses.map((one) => one!.code)
  expect(codes.filter((code) => code === 'unauthenticated')).toHaveLength(5)
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(9)
  const signIn = () => accounts.signIn({ email, password }, requestFrom('mallory'))
  expect(await faultOf(signIn())).toMatchObject({ details: { retry_after: 5 } })
  expect(await accounts.signIn({ email, password }, HOME)).toHaveProperty('cookies.length', 3)
  clock.advance(4999)
  expect(await faultOf(signIn())).toMatchObject({ details: { retry_after: 1 } })
  clock.advance(1)
  await guess()
  expect(await faultOf(signIn())).toMatchObject({
    details: { retry_after: 10 },
    hint: 'Try again in 10 s',
  })
  clock.advance(10_000)
  expect(await signIn()).toHaveProperty('cookies.length', 3)
})

/** Returns the Cookie header that a browser sends after these Set-Cookie values. */
const cookieHeader = (cookies: readonly string[]) =>
  cookies.map((cookie) => cookie.split(';')[0]).join('; ')

test('a browser with a valid device cookie is not limited by failed attempts at its address', async () => {
  const { accounts } = await openServerWithOwner()
  const { email, password } = ADA
  const { cookies } = await accounts.signIn({ email, password }, requestFrom('office'))
  for (let i = 0; i < 50; i++)
    await faultOf(accounts.signIn({ email, password: 'wrong' }, requestFrom('office')))
  const device = cookieHeader(cookies.filter((one) => one.startsWith('cork_device=')))
  expect(await accounts.signIn({ email, password }, requestFrom('office', device))).toHaveProperty(
    'cookies.length',
    3,
  )
  expect(await faultOf(accounts.signIn({ email, password }, requestFrom('office')))).toMatchObject({
    code: 'rate_limited',
  })
  const forged = device.replace(/\.[\d-]+\./, '.1-2.')
  expect(
    await faultOf(accounts.signIn({ email, password }, requestFrom('office', forged))),
  ).toMatchObject({
    code: 'rate_limited',
  })
})

test('an account attacked from many addresses still accepts its owner from a new address', async () => {
  const { accounts } = await openServerWithOwner()
  const { email, password } = ADA
  const guess = (address: string) =>
    faultOf(accounts.signIn({ email, password: 'wrong' }, requestFrom(address)))
  await Promise.all(Array.from({ length: 60 }, (_, at) => guess(`bot ${at}`)))
  const { cookies } = await accounts.signIn({ email, password }, requestFrom('hotel'))
  expect(cookies).toHaveLength(3)
  expect(await guess('new bot')).toMatchObject({ code: 'unauthenticated' })
  expect(await guess('new bot')).toMatchObject({ code: 'rate_limited' })
})

test('a successful sign-in resets the failed attempts', async () => {
  const { accounts } = await openServerWithOwner()
  const { email, password } = ADA
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 4; i++) await faultOf(accounts.signIn({ email, password: 'wrong' }, HOME))
    expect(await accounts.signIn({ email, password }, HOME)).toHaveProperty('cookies.length', 3)
  }
})
