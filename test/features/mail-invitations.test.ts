import { expect, test } from 'bun:test'
import { invitations } from '../../src/features/invitations/index.ts'
import { MINUTE_MS, mailing } from '../letters.ts'
import { until } from '../mailbox.ts'
import { postOffice, refusal } from '../smtp.ts'
import { visitor } from '../visitor.ts'
import { type World, world } from '../world.ts'

const invite = async (w: World, email = 'eve@example.com', who = w.ben) =>
  (await w.http(who, 'POST', `/api/v1/teams/${w.team_id}/invitations`, { email, role: 'member' }))
    .body

const linkIn = ({ text }: { text: string }) =>
  new URL(/^Join the team: (\S+)$/m.exec(text)![1]!).pathname

const rows = async (w: World) => (await w.ben['invitations.list']({ team_id: w.team_id })).items

const house = (url: string) => world({ furnished: false, env: { CORK_SMTP_URL: url } })

test('an invitation is emailed with its own link; both links work until one is used', async () => {
  const office = await postOffice()
  const w = await house(office.url)
  const { data } = await invite(w)
  expect(data.mailed).toBe(true)
  expect(await rows(w)).toMatchObject([{ mailed_at: null }])
  mailing(w)
  await until(async () => (await rows(w))[0]!.mailed_at === w.clock.now.toISOString())
  const [letter] = office.letters as [(typeof office.letters)[0]]
  expect(letter.to).toEqual(['eve@example.com'])
  expect(letter.headers.get('subject')).toBe('Ben invites you to Harbour')
  expect(letter.headers.has('list-unsubscribe')).toBe(false)
  const mailed = linkIn(letter)
  const shown = new URL(data.link).pathname
  expect(mailed).not.toBe(shown)
  const kept = await w.store.read((tx) => tx.select().from(invitations))
  const told = JSON.stringify([kept, await w.changes(), await rows(w)])
  for (const path of [mailed, shown]) {
    expect((await w.http(undefined, 'GET', path)).status).toBe(200)
    expect(told).not.toContain(path.split('/').at(-1)!)
  }

  const browser = visitor(w.app)
  const joined = await browser.post(mailed, { name: 'Eve', password: 'correct horse battery' })
  expect(joined.status).toBe(303)
  const { items } = await w.ben['teams.members']({ team_id: w.team_id })
  expect(items.map(({ name }) => name)).toContain('Eve')
  expect((await w.http(undefined, 'GET', shown)).status).toBe(404)
})

test('somebody invited to a board by email address gets an invitation email', async () => {
  const office = await postOffice()
  const w = await world({ env: { CORK_SMTP_URL: office.url } })
  const { project_id } = w.board
  const given = { project_id, member_identifier: 'eve@example.com' }
  expect(await w.ada['projects.invite_member'](given)).toMatchObject({ mailed: true })
  mailing(w)
  await until(() => office.letters.length === 1)
  expect((await w.http(undefined, 'GET', linkIn(office.letters[0]!))).status).toBe(200)
})

test('a revoked, accepted, expired or void invitation is not emailed', async () => {
  const office = await postOffice()
  const w = await house(office.url)
  const { data } = await invite(w, 'revoked@example.com')
  await w.ben['invitations.revoke']({ invitation_id: data.invitation_id })
  const accepted = await invite(w, 'accepted@example.com')
  const path = new URL(accepted.data.link).pathname
  await visitor(w.app).post(path, { name: 'Eve', password: 'correct horse battery' })
  await invite(w, 'void@example.com')
  await invite(w, 'good@example.com', w.ada)
  const user_id = w.ben.caller.actor_id
  await w.ada['teams.set_role']({ team_id: w.team_id, user_id, role: 'member' })
  const stop = mailing(w)
  await until(() => office.letters.length > 0)
  await Bun.sleep(100)
  await stop()
  expect(office.letters.map(({ to }) => to)).toEqual([['good@example.com']])

  await invite(w, 'late@example.com', w.ada)
  w.clock.pass(7 * 24 * 60 * MINUTE_MS)
  mailing(w)
  await Bun.sleep(150)
  expect(office.letters).toHaveLength(1)
})

test('every retry emails the same link, and a newer invitation replaces it', async () => {
  const office = await postOffice({
    taken: (nth) => (nth === 1 ? refusal(451, 'Taken, and the answer lost') : undefined),
  })
  const w = await house(office.url)
  const { data } = await invite(w)
  mailing(w)
  await until(async () => (await rows(w))[0]!.mail_error !== undefined)
  w.clock.pass(MINUTE_MS)
  await until(async () => (await rows(w))[0]!.mailed_at !== null)
  expect((await rows(w))[0]).not.toHaveProperty('mail_error')
  const [first, second, ...more] = office.letters.map(linkIn)
  expect([first, more]).toEqual([second!, []])
  for (const path of [first!, new URL(data.link).pathname])
    expect((await w.http(undefined, 'GET', path)).status).toBe(200)

  // A new invitation of the same address has a new link, and the older link stops working.
  await invite(w)
  await until(() => office.letters.length === 3)
  const third = linkIn(office.letters[2]!)
  expect((await w.http(undefined, 'GET', third)).status).toBe(200)
  expect((await w.http(undefined, 'GET', first!)).status).toBe(404)
})

test('an email refused as undeliverable is not retried, and the invitation shows the error', async () => {
  const office = await postOffice({ answer: () => refusal(550, 'No such user') })
  const w = await house(office.url)
  await invite(w)
  mailing(w)
  await until(async () => (await rows(w))[0]!.mail_error !== undefined)
  w.clock.pass(24 * 60 * MINUTE_MS)
  await Bun.sleep(150)
  expect(office.box.asked).toBe(1)
  expect((await rows(w))[0]).toMatchObject({
    ...{ state: 'open', mailed_at: null, mail_error: '127.0.0.1 refused: 550 No such user' },
  })
})

test('an email address with a second address or markup is refused, and nothing is sent', async () => {
  const office = await postOffice()
  const w = await world({ env: { CORK_SMTP_URL: office.url } })
  for (const email of ['eve@example.com,<mallory@example.com', '<script>@x.com', 'a@b@c', 'eve@x"'])
    for (const [path, given, field] of [
      [`teams/${w.team_id}/invitations`, { email, role: 'member' }, 'email'],
      [`projects/${w.board.project_id}/members`, { member_identifier: email }, 'member_identifier'],
    ] as const) {
      const { status, body } = await w.http(w.ada, 'POST', `/api/v1/${path}`, given)
      expect([status, body.details]).toEqual([
        400,
        expect.objectContaining({ field, code: 'invalid_format' }),
      ])
    }
  mailing(w)
  await Bun.sleep(150)
  expect(office.box.asked).toBe(0)
})

test('an address gets at most five invitation emails a day, from all teams together', async () => {
  const office = await postOffice()
  const w = await house(office.url)
  mailing(w)
  for (let many = 1; many <= 5; many++) {
    expect((await invite(w)).data.mailed).toBe(true)
    await until(async () => (await rows(w)).some(({ mailed_at }) => mailed_at !== null))
    expect(office.letters).toHaveLength(many)
  }
  const sixth = await invite(w)
  expect([sixth.data.mailed, typeof sixth.data.link]).toEqual([false, 'string'])
  expect(sixth.warnings).toMatchObject([{ field: 'email', code: 'rate_limited' }])
  const elsewhere = { team_id: w.elsewhere, email: 'Eve@example.com', role: 'member' } as const
  expect(await w.otto['invitations.create'](elsewhere)).toMatchObject({ mailed: false })
  expect((await invite(w, 'finn@example.com')).data.mailed).toBe(true)
  w.clock.pass(24 * 60 * MINUTE_MS + 1)
  expect((await invite(w)).data.mailed).toBe(true)
})

test('invitations replaced before they are sent do not count, and the last one is emailed', async () => {
  const office = await postOffice()
  const w = await house(office.url)
  for (let many = 0; many < 5; many++) await invite(w)
  const { data } = await invite(w)
  expect(data.mailed).toBe(true)
  mailing(w)
  await until(async () => (await rows(w))[0]!.mailed_at !== null)
  expect(office.letters).toHaveLength(1)
  expect((await w.http(undefined, 'GET', linkIn(office.letters[0]!))).status).toBe(200)
  expect((await w.http(undefined, 'GET', new URL(data.link).pathname)).status).toBe(200)
})

test('pending invitations of all teams and the one being sent count towards the five a day', async () => {
  let answer: (error?: Error) => void = () => {}
  const office = await postOffice({
    answer: () => new Promise((resolve) => (answer = resolve as typeof answer)),
  })
  const w = await house(office.url)
  const email = 'eve@example.com'
  await invite(w)
  const stop = mailing(w)
  await until(() => office.box.asked === 1)
  const teams = [w.team_id, w.elsewhere]
  for (const name of ['One', 'Two', 'Three', 'Four'])
    teams.push((await w.http(w.otto, 'POST', '/api/v1/teams', { name })).body.data.team_id)
  const made: boolean[] = []
  for (const team_id of teams) {
    const who = team_id === w.team_id ? w.ben : w.otto
    const path = `/api/v1/teams/${team_id}/invitations`
    made.push((await w.http(who, 'POST', path, { email, role: 'member' })).body.data.mailed)
  }
  expect(made).toEqual([true, true, true, true, false, false])
  answer()
  await stop()
})
