import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { webhookDeliveries } from '../../../../src/features/agents/webhooks/model/index.ts'
import { placeholders, sourceImports } from '../../../../src/features/boards/imports/model/index.ts'
import {
  deactivate,
  eraseUser,
  setPassword,
} from '../../../../src/features/identity/accounts/model/index.ts'
import { insertCredential } from '../../../../src/features/identity/credentials/model/index.ts'
import {
  authenticatorApps,
  passkeys,
  recoveryCodes,
} from '../../../../src/features/identity/factors/model/index.ts'
import { grants } from '../../../../src/features/identity/grants/model/index.ts'
import { linkedIdentities } from '../../../../src/features/identity/linked_identities/model/index.ts'
import {
  actors,
  createPerson,
  people,
} from '../../../../src/features/identity/people/model/index.ts'
import { createServer } from '../../../../src/server/app.ts'
import { changes } from '../../../../src/store/tables.ts'
import { browserClient } from '../../../support/browser-client.ts'
import { MINUTE_MS } from '../../../support/emails.ts'
import { databaseContents, tables } from '../../../support/tables.ts'
import { type World, world } from '../../../support/world.ts'

const NAME = 'Zorblax "Z" Quëll'
const EMAIL = 'zorblax_quell@example.net'
const PASSWORD = 'correct horse battery'
const ERASE = '/api/v1/user/erase'
const FORWARDED = { 'x-forwarded-for': '203.0.113.77' }
/** Parts of the name and the address, as they would be found anywhere. */
const TRACES = /zorblax|qu(ë|\\u00eb)ll|quell|203\.0\.113\.77/i

const servicesOf = ({ store, clock, key, config }: World) => ({
  ...{ store, clock: clock.read, key, server: createServer({ config, key }) },
})

/** Ada has another name and address, with a copy of them wherever the product stores one. */
async function worldWithTraces() {
  const w = await world({
    full: true,
    env: { CORK_TRUSTED_PROXIES: '127.0.0.1', CORK_SMTP_URL: 'smtp://127.0.0.1:1' },
  })
  const { actor_id } = w.ada.caller
  const ben = { team_id: w.team_id, user_id: w.ben.caller.actor_id }
  await w.ada['teams.set_role']({ ...ben, role: 'owner' })
  await w.store.write(async (tx) => {
    await tx.update(people).set({ email: EMAIL }).where(eq(people.actor_id, actor_id))
    await tx.update(actors).set({ name: NAME }).where(eq(actors.actor_id, actor_id))
  })
  await setPassword(servicesOf(w), EMAIL, PASSWORD)
  const browser = browserClient(w.app)
  await browser.post('/sign-in', { email: EMAIL, password: 'wrong words, alas' }, FORWARDED)
  expect((await browser.post('/sign-in', { email: EMAIL, password: PASSWORD })).status).toBe(303)
  await browserClient(w.app).post('/sign-in', { email: EMAIL, password: PASSWORD }, FORWARDED)
  await addOwnTraces(w)
  await addCopies(w, actor_id)
  await addFactors(w, actor_id)
  return { w, browser, actor_id }
}

async function addOwnTraces(w: World) {
  const { ada, team_id, tasks, board } = w
  const { project_id } = board
  await ada['api_keys.create']({ name: `Laptop of ${NAME}` })
  await ada['access_tokens.create']({ name: `Editor of ${NAME}` })
  await ada['calendar_feeds.create']({ title: `Days of ${NAME}`, what: 'all' })
  await ada['my_views.create']({ title: `Work of ${NAME}`, grouping: 'board' })
  await ada['views.create']({ project_id, title: `Only ${NAME}`, visibility: 'Private' })
  await ada['drafts.create']({
    ...{ task_id: tasks.copy.task_id, text: `I am ${NAME}`, draft_type: 'comment' },
  })
  await ada['skills.create']({
    ...{ name: `Habits of ${NAME}`, description: NAME, body: NAME, scope: 'user' },
  })
  await ada['mail.update']({ mode: 'now' })
  const helper = await w.addAgent(team_id, ada, 'Helper')
  await helper['leases.claim']({ task_id: tasks.link.task_id })
  await ada['time.start']({ task_identifier: tasks.copy.ticket_number })
  await w.otto['invitations.create']({ team_id: w.otherTeamId, email: EMAIL, role: 'guest' })
  // Another person lists the members under an idempotency key, which stores the answer.
  const members = { team_id, user_id: ada.caller.actor_id, role: 'owner' }
  const headers = { 'idempotency-key': 'set-role-once' }
  const path = `/api/v1/teams/${team_id}/members/${ada.caller.actor_id}`
  expect((await w.http(w.ben, 'PATCH', path, { role: members.role }, headers)).status).toBe(200)
}

/** Rows that imports and webhooks store. */
async function addCopies(w: World, actor_id: number) {
  const { store, clock, team_id } = w
  const time = { created_at: clock.now, updated_at: clock.now }
  await store.write(async (tx) => {
    const placeholder = await createPerson(
      tx,
      {
        ...{ name: NAME, email: 'placeholder-1@import.invalid', password_hash: null },
        ...{ time_zone: 'UTC', locale: 'en' },
      },
      clock.now,
    )
    await tx
      .insert(placeholders)
      .values({ actor_id: placeholder, team_id, email: EMAIL, created_at: clock.now })
    await tx.insert(sourceImports).values({
      ...{ team_id, source: 'trello', origin: 'board-1', title: 'Old board', state: 'finished' },
      ...{ counts: {} as never, created_by: actor_id, ...time },
      mapping: JSON.stringify({ people: { [NAME]: { email: EMAIL.toUpperCase() } } }),
    } as never)
    await tx.update(webhookDeliveries).set({ body: JSON.stringify({ actor: { name: NAME } }) })
  })
}

async function addFactors({ store, clock }: World, actor_id: number) {
  const at = { created_at: clock.now }
  await store.write(async (tx) => {
    await tx.insert(passkeys).values({
      ...{ actor_id, name: `Phone of ${NAME}`, webauthn_id: 'w', public_key: 'p', counter: 0 },
      ...{ transports: [], synced: false, ...at },
    })
    await tx.insert(authenticatorApps).values({ actor_id, secret: 's', ...at })
    await tx.insert(recoveryCodes).values({ actor_id, hash: 'h', ...at })
    await tx.insert(linkedIdentities).values({
      actor_id,
      issuer: 'https://id.example',
      subject: EMAIL,
      email: EMAIL,
      managed_team_ids: [],
      ...at,
    })
    const grant = { kind: 'grant' as const, actor_id, name: `Client of ${NAME}`, scopes: null }
    const row = await insertCredential(
      tx,
      { ...grant, secret: 'grant of ada', expires_at: null },
      clock.now,
    )
    const access = { ...grant, kind: 'access' as const, parent_id: row.credential_id }
    await insertCredential(tx, { ...access, secret: 'access of ada', expires_at: null }, clock.now)
    await tx.insert(grants).values({
      ...{ credential_id: row.credential_id, person_id: actor_id, client_id: 'c' },
      client_name: `Client of ${NAME}`,
    })
  })
}

test('an erased account leaves its name and address nowhere in the database', async () => {
  const { w, browser, actor_id } = await worldWithTraces()
  expect(await databaseContents(w)).toMatch(TRACES)
  const answer = await browser.json('POST', ERASE, { email: ` ${EMAIL.toUpperCase()} ` })
  expect(JSON.parse(answer.text)).toMatchObject({ success: true, data: { user_id: actor_id } })
  const rows = (JSON.parse(await databaseContents(w)) as string[]).filter((row) => TRACES.test(row))
  expect(rows).toEqual([])
  expect(w.logRecords.filter((record) => TRACES.test(JSON.stringify(record)))).toEqual([])
})

test('texts of an erased person stay under "Former member", and the person is no member', async () => {
  const { w, browser } = await worldWithTraces()
  const { task_id } = w.tasks.logo
  const before = (await w.ben['comments.list']({ task_id })).items
  await browser.json('POST', ERASE, { email: EMAIL })
  const after = (await w.ben['comments.list']({ task_id })).items
  expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text))
  expect(after.map(({ author }) => author?.name)).toContain('Former member')
  const { items } = await w.ben['teams.members']({ team_id: w.team_id })
  expect(items.map(({ name }) => name)).not.toContain('Former member')
  expect(await w.changeTypes()).toContain('person.erased')
  const audit = await w.ben['audit.list']({ team_id: w.team_id })
  expect(audit.items.find(({ type }) => type === 'person.erased')).toMatchObject({
    ...{ address: null, actor: { name: 'Former member' } },
  })
})

test('erasing an account ends its sessions, keys, grants, leases and timers at once', async () => {
  const { w, browser, actor_id } = await worldWithTraces()
  await browser.json('POST', ERASE, { email: EMAIL })
  await expectNoAccess(w, actor_id)
  expect((await browser.get('/api/session/verify')).status).toBe(401)
  expect((await w.http(w.ada, 'GET', '/api/v1/user/hello')).status).toBe(401)
})

test('deactivating a person ends sessions, keys, grants, leases and timers at once', async () => {
  const { w, browser, actor_id } = await worldWithTraces()
  await deactivate(servicesOf(w), EMAIL)
  await expectNoAccess(w, actor_id)
  expect((await browser.get('/api/session/verify')).status).toBe(401)
  expect((await w.http(w.ada, 'GET', '/api/v1/user/hello')).status).toBe(401)
})

/** Compares rows of tables that say who has access. */
async function expectNoAccess({ store }: World, actor_id: number) {
  const count = (table: string, condition: string) =>
    store.read(async (tx) => {
      const from = sql.raw(`(select count(*) as total from ${table} where ${condition}) as counted`)
      const [row] = await tx.select({ total: sql<number>`total` }).from(from)
      return Number(row!.total)
    })
  const agents = `select actor_id from agents where owner_id = ${actor_id}`
  expect(
    await count('credentials', `actor_id = ${actor_id} and revoked_at is null`),
    'credentials',
  ).toBe(0)
  expect(
    await count('credentials', `actor_id in (${agents}) and revoked_at is null`),
    'credentials of agents',
  ).toBe(0)
  expect(await count('calendar_feeds', `actor_id = ${actor_id}`), 'calendar feeds').toBe(0)
  expect(
    await count(
      'leases',
      `ended_at is null and (holder_id = ${actor_id} or holder_id in (${agents}))`,
    ),
    'leases',
  ).toBe(0)
  expect(await count('time_entries', `actor_id = ${actor_id} and ended_at is null`), 'timers').toBe(
    0,
  )
}

test('a removed member and their agents lose their leases in that team at once', async () => {
  const w = await world()
  const holder_id = w.bot.caller.actor_id
  const user_id = w.cleo.caller.actor_id
  await w.bot['leases.claim']({ task_id: w.tasks.logo.task_id })
  await w.cleo['leases.claim']({ task_id: w.tasks.copy.task_id })
  await w.ada['teams.remove_member']({ team_id: w.team_id, user_id })
  const open = await w.store.read((tx) => {
    const leases = tables.find((table) => 'fencing_token' in table)! as never
    return tx.select().from(leases)
  })
  const held = (open as { holder_id: number; ended_at: Date | null }[]).filter(
    (lease) => !lease.ended_at && [user_id, holder_id].includes(lease.holder_id),
  )
  expect(held).toEqual([])
  expect((await w.http(w.bot, 'GET', '/api/v1/user/hello')).status).toBe(401)
})

test('an account is erased only with a recent proof, its own address and another owner', async () => {
  const { w, browser } = await worldWithTraces()
  const wrong = await browser.json('POST', ERASE, { email: 'ben@example.com' })
  expect(JSON.parse(wrong.text)).toMatchObject({ success: false, details: { field: 'email' } })
  const withKey = await w.http(w.ada, 'POST', ERASE, { email: EMAIL })
  expect(withKey.status).toBe(403)
  const ben = { team_id: w.team_id, user_id: w.ben.caller.actor_id }
  await w.ada['teams.set_role']({ ...ben, role: 'admin' })
  const last = await browser.json('POST', ERASE, { email: EMAIL })
  expect(JSON.parse(last.text)).toMatchObject({
    message: 'The account is the only owner of the team Harbour',
    hint: 'Make somebody else an owner of the team first',
  })
  await w.ada['teams.set_role']({ ...ben, role: 'owner' })
  w.clock.advance(10 * MINUTE_MS)
  const stale = await browser.json('POST', ERASE, { email: EMAIL })
  expect(JSON.parse(stale.text).details).toEqual({ verification: 'required' })
  expect(await databaseContents(w)).toMatch(TRACES)
})

test('names are erased in a long change log, part by part', async () => {
  const { w, browser, actor_id } = await worldWithTraces()
  const entry = {
    ...{ type: 'task.assigned', team_id: w.team_id, project_id: null, task_id: null },
    ...{ actor_id: w.ben.caller.actor_id, recipients: null, created_at: w.clock.now },
    data: { actor: { kind: 'person', user_id: actor_id, name: 'An older Zorblax' } },
  }
  for (let batch = 0; batch < 12; batch++)
    await w.store.write((tx) => tx.insert(changes).values(Array(1000).fill(entry)))
  await browser.json('POST', ERASE, { email: EMAIL })
  expect(await databaseContents(w)).not.toMatch(TRACES)
})

test('the operator erases accounts, also deactivated ones', async () => {
  const { w } = await worldWithTraces()
  await deactivate(servicesOf(w), EMAIL)
  await eraseUser(servicesOf(w), EMAIL)
  const rows = (JSON.parse(await databaseContents(w)) as string[]).filter((row) => TRACES.test(row))
  expect(rows).toEqual([])
})

test('of the last two owners of a team, only one can erase their account', async () => {
  const { w } = await worldWithTraces()
  const results = await Promise.allSettled([
    eraseUser(servicesOf(w), EMAIL),
    eraseUser(servicesOf(w), 'ben@example.com'),
  ])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a person downloads what is stored about them, without secrets', async () => {
  const { w, browser } = await worldWithTraces()
  const auditedBefore = (await w.ada['audit.own']({})).items.length
  const records: { kind: string; data: Record<string, unknown> }[] = []
  let cursor: string | null = ''
  do {
    const path = `/api/v1/user/export${cursor && `?cursor=${cursor}`}`
    const { data } = JSON.parse((await browser.get(path)).text)
    records.push(...data.records)
    cursor = data.next_cursor
  } while (cursor)
  const kinds = new Set(records.map(({ kind }) => kind))
  expect([...kinds]).toEqual([
    ...['profile', 'name', 'membership', 'sign_in', 'credential', 'grant', 'passkey'],
    ...['authenticator_app', 'linked_identity', 'email_settings', 'calendar_feed', 'my_view'],
    ...['view', 'draft', 'task', 'comment', 'page', 'time_entry'],
  ])
  expect(records.find(({ kind }) => kind === 'profile')).toMatchObject({ data: { email: EMAIL } })
  expect(JSON.stringify(records)).not.toMatch(/hash|secret|public_key/)
  expect((await w.http(w.ada, 'GET', '/api/v1/user/export')).status).toBe(403)
  expect((await w.ada['audit.own']({})).items).toHaveLength(auditedBefore)
})
