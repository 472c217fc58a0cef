import { expect, test } from 'bun:test'
import pino from 'pino'
import { readConfig } from '../../src/config/index.ts'
import {
  browserAccounts,
  isEmpty,
  setUpFromCli,
  setUpLink,
} from '../../src/features/accounts/index.ts'
import { SigningKey } from '../../src/features/credentials/index.ts'
import { people } from '../../src/features/people/index.ts'
import { createApp, createServer } from '../../src/server/app.ts'
import { changesSince } from '../../src/store/log.ts'
import { opened, place } from '../database.ts'
import { visitor } from '../visitor.ts'
import { Clockwork } from '../world.ts'

const from = (address: string, cookies: string | null = null) => ({
  ...{ address, network: address, browser: null, cookies },
})
const HOME = from('home')
const DAY_MS = 24 * 60 * 60 * 1000
const ADA = {
  name: 'Ada',
  email: 'Ada@Example.com',
  password: 'correct horse battery',
  team: 'Harbour',
}

/** Returns a server that is not set up yet. */
async function emptyHouse() {
  const clock = new Clockwork()
  const store = await opened(await place(), clock.read)
  const config = { ...readConfig({}), url: 'http://localhost', rateBase: 0, rateAgent: 0 }
  const key = new SigningKey(new Uint8Array(32).fill(7))
  const server = { ...createServer({ config, key }), elapsed: () => clock.now.getTime() }
  const log = pino({ level: 'silent' })
  const { app } = createApp({ config, store, clock: clock.read, key, log })
  const house = { store, clock: clock.read, server, key }
  const token = () => new URL(setUpLink(house)).searchParams.get('token')!
  return { house, app, clock, store, token, desk: browserAccounts(house) }
}

const refused = (job: Promise<unknown>) =>
  job.then(
    () => undefined,
    ({ code, message, details, hint }) => ({ code, message, details, hint }),
  )

test('a setup link creates the first owner once and is then refused with a conflict', async () => {
  const { app, store, token, desk } = await emptyHouse()
  const [link, other] = [token(), token()]
  expect(await store.read(isEmpty)).toBe(true)
  const cookies = await desk.setUp({ ...ADA, token: link }, HOME)
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
      await refused(desk.setUp({ ...ADA, email: 'eve@example.com', token: again }, HOME)),
    ).toMatchObject({ code: 'conflict', message: 'This server is already set up' })
  const eve = visitor(app)
  expect((await eve.get(`/setup?token=${link}`)).status).toBe(409)
})

test('the setup page validates its fields, refuses cross-site posts and signs the owner in', async () => {
  const { app, token } = await emptyHouse()
  const browser = visitor(app)
  const path = `/setup?token=${token()}`
  expect((await browser.get(path)).text).toContain('name="team"')
  const fields = { ...ADA, token: token(), email: 'ada' }
  const wrong = await browser.post('/setup', fields)
  expect(wrong.status).toBe(400)
  expect(wrong.text).toContain('id="setup-email-error">Email must look like name@example.com.')
  expect(wrong.text).toContain('value="Harbour"')
  expect(wrong.text).not.toContain(ADA.password)
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  expect((await browser.post('/setup', { ...fields, email: ADA.email }, crossSite)).status).toBe(
    403,
  )
  expect((await browser.post('/setup', { ...fields, email: ADA.email })).status).toBe(303)
  expect(browser.jar.get('cork_first')).toBe('yes')
  expect((await browser.get('/api/v1/user/context')).text).toContain('ada@example.com')
  expect((await browser.get('/api/v1/projects')).status).toBe(200)
})

test('two concurrent setups create only one owner', async () => {
  const { store, token, desk } = await emptyHouse()
  const both = ['ada@example.com', 'eve@example.com'].map((email) =>
    desk.setUp({ ...ADA, email, token: token() }, HOME),
  )
  const ends = await Promise.allSettled(both)
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await store.read((tx) => tx.select().from(people))).toHaveLength(1)
})

test('a malformed, forged or expired setup link is refused', async () => {
  const { token, clock, desk } = await emptyHouse()
  const link = token()
  const [ends, nonce, seal] = link.split('.')
  for (const bad of ['', 'x', `${Number(ends) + DAY_MS}.${nonce}.${seal}`, `${ends}.${nonce}.`])
    expect(await refused(desk.checkSetUp(bad))).toMatchObject({ code: 'forbidden' })
  clock.pass(7 * DAY_MS)
  expect(await refused(desk.checkSetUp(link))).toMatchObject({
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
    const { store, token, desk } = await emptyHouse()
    const found = await refused(desk.setUp({ ...ADA, ...change, token: token() }, HOME))
    expect(found).toMatchObject({ code: 'invalid', details: { field, code } })
    if (field === 'password') expect(found!.details.value).toBeUndefined()
    expect(await store.read(isEmpty)).toBe(true)
  })

test('cork init creates an owner, an API key and an MCP token, and only on an empty server', async () => {
  const { house, app } = await emptyHouse()
  const { password: _, ...init } = ADA
  const made = await setUpFromCli(house, init)
  expect(made).toEqual({
    user_id: 1,
    team_id: 1,
    api_key: expect.stringMatching(/^cork_/),
    mcp_token: expect.stringMatching(/^ey/),
  })
  for (const secret of [made.api_key, made.mcp_token]) {
    const answer = await visitor(app).get('/api/v1/projects', { authorization: `Bearer ${secret}` })
    expect(answer.status).toBe(200)
  }
  expect(await refused(setUpFromCli(house, init))).toMatchObject({ code: 'conflict' })
})

test('an account without a password refuses every password, including an empty one', async () => {
  const { house, desk } = await emptyHouse()
  const { password: _, ...init } = ADA
  await setUpFromCli(house, init)
  for (const password of ['', 'anything at all'])
    expect(await refused(desk.signIn({ email: ADA.email, password }, from('here')))).toMatchObject({
      code: 'unauthenticated',
    })
})

async function owned() {
  const played = await emptyHouse()
  await played.desk.setUp({ ...ADA, token: played.token() }, HOME)
  return played
}

test('sign-in ignores email case and does not reveal whether email or password was wrong', async () => {
  const { desk } = await owned()
  const wrong = [
    { email: ADA.email, password: 'wrong' },
    { email: 'nobody@example.com', password: ADA.password },
    { email: '', password: '' },
  ]
  const answers = await Promise.all(wrong.map((proof) => refused(desk.signIn(proof, from('here')))))
  for (const answer of answers) expect(answer).toEqual(answers[0]!)
  expect(answers[0]).toMatchObject({ code: 'unauthenticated', details: {} })
  const { email, password } = ADA
  expect(await desk.signIn({ email: ` ${email.toUpperCase()}`, password }, HOME)).toHaveLength(3)
})

test('wrong passwords delay further attempts from the same address only, longer each time', async () => {
  const { desk, clock } = await owned()
  const { email, password } = ADA
  const guess = () => refused(desk.signIn({ email, password: 'wrong' }, from('mallory')))
  const guesses = await Promise.all(Array.from({ length: 14 }, guess))
  const codes = guesses.map((one) => one!.code)
  expect(codes.filter((code) => code === 'unauthenticated')).toHaveLength(5)
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(9)
  const right = () => desk.signIn({ email, password }, from('mallory'))
  expect(await refused(right())).toMatchObject({ details: { retry_after: 5 } })
  expect(await desk.signIn({ email, password }, HOME)).toHaveLength(3)
  clock.pass(4999)
  expect(await refused(right())).toMatchObject({ details: { retry_after: 1 } })
  clock.pass(1)
  await guess()
  expect(await refused(right())).toMatchObject({
    details: { retry_after: 10 },
    hint: 'Try again in 10 s',
  })
  clock.pass(10_000)
  expect(await right()).toHaveLength(3)
})

/** Returns the Cookie header that a browser sends after these Set-Cookie values. */
const cookieHeader = (cookies: readonly string[]) =>
  cookies.map((cookie) => cookie.split(';')[0]).join('; ')

test('a browser with a valid device cookie is not limited by failed attempts at its address', async () => {
  const { desk } = await owned()
  const { email, password } = ADA
  const cookies = await desk.signIn({ email, password }, from('office'))
  for (let i = 0; i < 50; i++)
    await refused(desk.signIn({ email, password: 'wrong' }, from('office')))
  const device = cookieHeader(cookies.filter((one) => one.startsWith('cork_device=')))
  expect(await desk.signIn({ email, password }, from('office', device))).toHaveLength(3)
  expect(await refused(desk.signIn({ email, password }, from('office')))).toMatchObject({
    code: 'rate_limited',
  })
  const forged = device.replace(/\.[\d-]+\./, '.1-2.')
  expect(await refused(desk.signIn({ email, password }, from('office', forged)))).toMatchObject({
    code: 'rate_limited',
  })
})

test('an account attacked from many addresses still accepts its owner from a new address', async () => {
  const { desk } = await owned()
  const { email, password } = ADA
  const guess = (address: string) =>
    refused(desk.signIn({ email, password: 'wrong' }, from(address)))
  await Promise.all(Array.from({ length: 60 }, (_, at) => guess(`bot ${at}`)))
  expect(await desk.signIn({ email, password }, from('hotel'))).toHaveLength(3)
  expect(await guess('new bot')).toMatchObject({ code: 'unauthenticated' })
  expect(await guess('new bot')).toMatchObject({ code: 'rate_limited' })
})

test('a successful sign-in resets the failed attempts', async () => {
  const { desk } = await owned()
  const { email, password } = ADA
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 4; i++) await refused(desk.signIn({ email, password: 'wrong' }, HOME))
    expect(await desk.signIn({ email, password }, HOME)).toHaveLength(3)
  }
})
