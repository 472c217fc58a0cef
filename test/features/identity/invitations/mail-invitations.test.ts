import { expect, test } from 'bun:test'
import { invitations } from '../../../../src/features/identity/invitations/model/index.ts'
import { browserClient } from '../../../support/browser-client.ts'
import { MINUTE_MS, startMailWorker } from '../../../support/emails.ts'
import { smtpError, startMailServer } from '../../../support/smtp.ts'
import { waitUntil } from '../../../support/wait.ts'
import { type World, world } from '../../../support/world.ts'

const invite = async (w: World, email = 'eve@example.com', actor = w.ben) =>
  (await w.http(actor, 'POST', `/api/v1/teams/${w.team_id}/invitations`, { email, role: 'member' }))
    .body

const linkIn = ({ text }: { text: string }) =>
  new URL(/^Join the team: (\S+)$/m.exec(text)![1]!).pathname

const listInvitations = async (w: World) =>
  (await w.ben['invitations.list']({ team_id: w.team_id })).items

const worldWithMail = (url: string) => world({ hasBoard: false, env: { CORK_SMTP_URL: url } })

test('an invitation is emailed with its own link; both links work until one is used', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url)
  const { data } = await invite(w)
  expect(data.mailed).toBe(true)
  expect(await listInvitations(w)).toMatchObject([{ mailed_at: null }])
  startMailWorker(w)
  await waitUntil(
    async () => (await listInvitations(w))[0]!.mailed_at === w.clock.now.toISOString(),
  )
  const [email] = mailServer.emails as [(typeof mailServer.emails)[0]]
  expect(email.to).toEqual(['eve@example.com'])
  expect(email.headers.get('subject')).toBe('Ben invites you to Harbour')
  expect(email.headers.has('list-unsubscribe')).toBe(false)
  const mailedPath = linkIn(email)
  const shownPath = new URL(data.link).pathname
  expect(mailedPath).not.toBe(shownPath)
  const storedRows = await w.store.read((tx) => tx.select().from(invitations))
  const loggedText = JSON.stringify([storedRows, await w.changes(), await listInvitations(w)])
  for (const path of [mailedPath, shownPath]) {
    expect((await w.http(undefined, 'GET', path)).status).toBe(200)
    expect(loggedText).not.toContain(path.split('/').at(-1)!)
  }

  const browser = browserClient(w.app)
  const joined = await browser.post(mailedPath, { name: 'Eve', password: 'correct horse battery' })
  expect(joined.status).toBe(303)
  const { items } = await w.ben['teams.members']({ team_id: w.team_id })
  expect(items.map(({ name }) => name)).toContain('Eve')
  expect((await w.http(undefined, 'GET', shownPath)).status).toBe(404)
})

test('somebody invited to a board by email address gets an invitation email', async () => {
  const mailServer = await startMailServer()
  const w = await world({ env: { CORK_SMTP_URL: mailServer.url } })
  const { project_id } = w.board
  const input = { project_id, member_identifier: 'eve@example.com' }
  expect(await w.ada['projects.invite_member'](input)).toMatchObject({ mailed: true })
  startMailWorker(w)
  await waitUntil(() => mailServer.emails.length === 1)
  expect((await w.http(undefined, 'GET', linkIn(mailServer.emails[0]!))).status).toBe(200)
})

test('a revoked, accepted, expired or void invitation is not emailed', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url)
  const { data } = await invite(w, 'revoked@example.com')
  await w.ben['invitations.revoke']({ invitation_id: data.invitation_id })
  const accepted = await invite(w, 'accepted@example.com')
  const path = new URL(accepted.data.link).pathname
  await browserClient(w.app).post(path, { name: 'Eve', password: 'correct horse battery' })
  await invite(w, 'void@example.com')
  await invite(w, 'good@example.com', w.ada)
  const user_id = w.ben.caller.actor_id
  await w.ada['teams.set_role']({ team_id: w.team_id, user_id, role: 'member' })
  const stop = startMailWorker(w)
  await waitUntil(() => mailServer.emails.length > 0)
  await Bun.sleep(100)
  await stop()
  expect(mailServer.emails.map(({ to }) => to)).toEqual([['good@example.com']])

  await invite(w, 'late@example.com', w.ada)
  w.clock.advance(7 * 24 * 60 * MINUTE_MS)
  startMailWorker(w)
  await Bun.sleep(150)
  expect(mailServer.emails).toHaveLength(1)
})

test('every retry emails the same link, and a newer invitation replaces it', async () => {
  const mailServer = await startMailServer({
    onAccepted: (index) => (index === 1 ? smtpError(451, 'Taken, and the answer lost') : undefined),
  })
  const w = await worldWithMail(mailServer.url)
  const { data } = await invite(w)
  startMailWorker(w)
  await waitUntil(async () => (await listInvitations(w))[0]!.mail_error !== undefined)
  w.clock.advance(MINUTE_MS)
  await waitUntil(async () => (await listInvitations(w))[0]!.mailed_at !== null)
  expect((await listInvitations(w))[0]).not.toHaveProperty('mail_error')
  const [first, second, ...rest] = mailServer.emails.map(linkIn)
  expect([first, rest]).toEqual([second!, []])
  for (const path of [first!, new URL(data.link).pathname])
    expect((await w.http(undefined, 'GET', path)).status).toBe(200)

  // A new invitation of the same address has a new link, and the older link stops working.
  await invite(w)
  await waitUntil(() => mailServer.emails.length === 3)
  const third = linkIn(mailServer.emails[2]!)
  expect((await w.http(undefined, 'GET', third)).status).toBe(200)
  expect((await w.http(undefined, 'GET', first!)).status).toBe(404)
})

test('an email refused as undeliverable is not retried, and the invitation shows the error', async () => {
  const mailServer = await startMailServer({ onRecipient: () => smtpError(550, 'No such user') })
  const w = await worldWithMail(mailServer.url)
  await invite(w)
  startMailWorker(w)
  await waitUntil(async () => (await listInvitations(w))[0]!.mail_error !== undefined)
  w.clock.advance(24 * 60 * MINUTE_MS)
  await Bun.sleep(150)
  expect(mailServer.handler.recipientCount).toBe(1)
  expect((await listInvitations(w))[0]).toMatchObject({
    ...{ state: 'open', mailed_at: null, mail_error: '127.0.0.1 refused: 550 No such user' },
  })
})

test('an email address with a second address or markup is refused, and nothing is sent', async () => {
  const mailServer = await startMailServer()
  const w = await world({ env: { CORK_SMTP_URL: mailServer.url } })
  for (const email of ['eve@example.com,<mallory@example.com', '<script>@x.com', 'a@b@c', 'eve@x"'])
    for (const [path, input, field] of [
      [`teams/${w.team_id}/invitations`, { email, role: 'member' }, 'email'],
      [`projects/${w.board.project_id}/members`, { member_identifier: email }, 'member_identifier'],
    ] as const) {
      const { status, body } = await w.http(w.ada, 'POST', `/api/v1/${path}`, input)
      expect([status, body.details]).toEqual([
        400,
        expect.objectContaining({ field, code: 'invalid_format' }),
      ])
    }
  startMailWorker(w)
  await Bun.sleep(150)
  expect(mailServer.handler.recipientCount).toBe(0)
})

test('an address gets at most five invitation emails a day, from all teams together', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url)
  startMailWorker(w)
  for (let count = 1; count <= 5; count++) {
    expect((await invite(w)).data.mailed).toBe(true)
    await waitUntil(async () =>
      (await listInvitations(w)).some(({ mailed_at }) => mailed_at !== null),
    )
    expect(mailServer.emails).toHaveLength(count)
  }
  const sixth = await invite(w)
  expect([sixth.data.mailed, typeof sixth.data.link]).toEqual([false, 'string'])
  expect(sixth.warnings).toMatchObject([{ field: 'email', code: 'rate_limited' }])
  const otherTeamDraft = {
    team_id: w.otherTeamId,
    email: 'Eve@example.com',
    role: 'member',
  } as const
  expect(await w.otto['invitations.create'](otherTeamDraft)).toMatchObject({ mailed: false })
  expect((await invite(w, 'finn@example.com')).data.mailed).toBe(true)
  w.clock.advance(24 * 60 * MINUTE_MS + 1)
  expect((await invite(w)).data.mailed).toBe(true)
})

test('invitations replaced before they are sent do not count, and the last one is emailed', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url)
  for (let count = 0; count < 5; count++) await invite(w)
  const { data } = await invite(w)
  expect(data.mailed).toBe(true)
  startMailWorker(w)
  await waitUntil(async () => (await listInvitations(w))[0]!.mailed_at !== null)
  expect(mailServer.emails).toHaveLength(1)
  expect((await w.http(undefined, 'GET', linkIn(mailServer.emails[0]!))).status).toBe(200)
  expect((await w.http(undefined, 'GET', new URL(data.link).pathname)).status).toBe(200)
})

test('pending invitations of all teams and the one being sent count towards the five a day', async () => {
  let respond: (error?: Error) => void = () => {}
  const mailServer = await startMailServer({
    onRecipient: () => new Promise((resolve) => (respond = resolve as typeof respond)),
  })
  const w = await worldWithMail(mailServer.url)
  const email = 'eve@example.com'
  await invite(w)
  const stop = startMailWorker(w)
  await waitUntil(() => mailServer.handler.recipientCount === 1)
  const teams = [w.team_id, w.otherTeamId]
  for (const name of ['One', 'Two', 'Three', 'Four'])
    teams.push((await w.http(w.otto, 'POST', '/api/v1/teams', { name })).body.data.team_id)
  const emailed: boolean[] = []
  for (const team_id of teams) {
    const actor = team_id === w.team_id ? w.ben : w.otto
    const path = `/api/v1/teams/${team_id}/invitations`
    emailed.push((await w.http(actor, 'POST', path, { email, role: 'member' })).body.data.mailed)
  }
  expect(emailed).toEqual([true, true, true, true, false, false])
  respond()
  await stop()
})
