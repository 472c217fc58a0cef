import { expect, test } from 'bun:test'
import {
  MINUTE_MS,
  mailSettings,
  mentionBen,
  startMailWorker,
  waitForMail,
  worldWithMail,
} from '../support/emails.ts'
import { smtpError, startMailServer } from '../support/smtp.ts'
import { waitUntil } from '../support/wait.ts'

/** Long enough for several checks of what is due. */
const waitForChecks = () => Bun.sleep(150)

test('notifications of one minute are sent in one email, and only once', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url)
  startMailWorker(w)
  await mentionBen(w, 'look at this')
  w.clock.advance(30_000)
  await mentionBen(w, 'and at that', w.tasks.link)
  await waitForChecks()
  expect(mailServer.emails).toEqual([])
  w.clock.advance(30_000)
  await waitUntil(() => mailServer.emails.length > 0)
  await waitUntil(async () => (await mailSettings(w.ben)).last_sent_at !== null)
  w.clock.advance(60 * MINUTE_MS)
  await waitForChecks()
  expect(mailServer.emails).toHaveLength(1)
  const [{ headers, text, to }] = mailServer.emails as [(typeof mailServer.emails)[0]]
  expect(to).toEqual(['ben@example.com'])
  expect(headers.get('subject')).toBe('2 notifications on Corkboard')
  expect(text).toContain('Ada mentioned you: HP-2 Write the copy\n> @Ben look at this')
  expect(text.indexOf('and at that')).toBeGreaterThan(text.indexOf('look at this'))

  await mentionBen(w, 'once more')
  w.clock.advance(MINUTE_MS)
  await waitUntil(() => mailServer.emails.length > 1)
  expect(mailServer.emails[1]!.headers.get('subject')).toBe(
    'HP-2 Write the copy: Ada mentioned you',
  )
  expect(mailServer.emails[1]!.text).not.toContain('look at this')
})

test('read, archived and unselected notifications are not emailed', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url, { kinds: ['mentioned', 'assigned'] })
  startMailWorker(w)
  await mentionBen(w)
  await mentionBen(w, 'twice', w.tasks.link)
  const { items } = await w.ben['inbox.list']({})
  const [first, second] = items.map(({ notification_id }) => notification_id!)
  await w.ben['inbox.read']({ notification_ids: [first!] })
  await w.ben['inbox.archive']({ notification_ids: [second!] })
  w.clock.advance(MINUTE_MS)
  await waitUntil(async () => (await mailSettings(w.ben)).next_at === null)
  const { task_id } = w.tasks.copy
  await w.ben['comments.add']({ task_id, text: 'Mine' })
  await w.ada['comments.add']({ task_id, text: 'A mere comment' })
  await waitForMail(w)
  expect((await mailSettings(w.ben)).next_at).toBeNull()
  await waitForChecks()
  expect(mailServer.emails).toEqual([])
})

test('a task that is moved to an inbox again is emailed again', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url)
  startMailWorker(w)
  const assignment = { task_id: w.tasks.copy.task_id, user_id: w.ben.caller.actor_id }
  for (const many of [1, 2]) {
    await w.ada['inbox.move_task'](assignment)
    await waitForMail(w)
    w.clock.advance(MINUTE_MS)
    await waitUntil(() => mailServer.emails.length === many)
    await waitUntil(
      async () => (await mailSettings(w.ben)).last_sent_at === w.clock.now.toISOString(),
    )
    w.clock.advance(1)
  }
  expect(mailServer.emails[1]!.headers.get('subject')).toBe(
    'HP-2 Write the copy: Ada moved this to your inbox',
  )
})

test('a removed member receives no emails of the team', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url)
  await mentionBen(w)
  expect((await mailSettings(w.ben)).next_at).not.toBeNull()
  const { team_id } = w
  await w.ada['teams.remove_member']({ team_id, user_id: w.ben.caller.actor_id })
  w.clock.advance(MINUTE_MS)
  startMailWorker(w)
  await waitUntil(async () => (await mailSettings(w.ben)).next_at === null)
  await waitForChecks()
  expect(mailServer.emails).toEqual([])
})

test('an unreachable or busy mail server is retried at growing intervals', async () => {
  const mailServer = await startMailServer()
  await mailServer.close()
  const w = await worldWithMail(mailServer.url)
  startMailWorker(w)
  await mentionBen(w)
  w.clock.advance(MINUTE_MS)
  const spaces = [1, 5, 30, 120, 360, 1440, 1440]
  for (const [at, minutes] of spaces.entries()) {
    const next = w.clock.now.getTime() + minutes * MINUTE_MS
    await waitUntil(
      async () => (await mailSettings(w.ben)).next_at === new Date(next).toISOString(),
    )
    expect((await mailSettings(w.ben)).last_error).toContain(at < 4 ? 'Connection refused' : 'Busy')
    if (at === 3)
      await startMailServer({
        port: mailServer.port,
        onRecipient: () => smtpError(451, 'Busy, come again'),
      })
    w.clock.advance(minutes * MINUTE_MS)
  }
})

test('after temporary failures the email is sent once, and the error is cleared', async () => {
  const mailServer = await startMailServer({
    onRecipient: (_, index) => (index < 3 ? smtpError(450, 'Greylisted') : undefined),
  })
  const w = await worldWithMail(mailServer.url)
  startMailWorker(w)
  await mentionBen(w)
  const nextAttempt = async () => (await mailSettings(w.ben)).next_at
  for (const refused of [1, 2]) {
    const before = await waitUntil(nextAttempt)
    w.clock.advance(5 * MINUTE_MS)
    // While an email is being sent, there is no next attempt.
    await waitUntil(async () => ![before, null].includes(await nextAttempt()))
    expect(mailServer.handler.recipientCount).toBe(refused)
    expect(mailServer.emails).toEqual([])
  }
  w.clock.advance(5 * MINUTE_MS)
  await waitUntil(async () => (await mailSettings(w.ben)).last_sent_at !== null)
  await waitForChecks()
  expect(mailServer.emails).toHaveLength(1)
  expect(await mailSettings(w.ben)).toMatchObject({ mode: 'now', last_error: null })
})

test('an address refused as unknown turns email off, and the preferences say why', async () => {
  const mailServer = await startMailServer({
    onRecipient: () => smtpError(550, 'No such user here'),
  })
  const w = await worldWithMail(mailServer.url)
  startMailWorker(w)
  await mentionBen(w)
  w.clock.advance(MINUTE_MS)
  await waitUntil(async () => (await mailSettings(w.ben)).mode === 'off')
  expect((await mailSettings(w.ben)).last_error).toBe(
    '127.0.0.1 refused: 550 No such user here. Email is now off',
  )
  expect((await w.changeTypes()).at(-1)).toBe('mail.updated')
  await w.ben['mail.update']({ mode: 'now' })
  expect((await mailSettings(w.ben)).last_error).toBeNull()
})

test('a mail server that refuses to relay does not turn email off', async () => {
  const mailServer = await startMailServer({
    onRecipient: () => smtpError(550, '5.7.1 Relaying denied'),
  })
  const w = await worldWithMail(mailServer.url)
  startMailWorker(w)
  await mentionBen(w)
  w.clock.advance(MINUTE_MS)
  await waitUntil(async () => (await mailSettings(w.ben)).last_error !== null)
  expect((await mailSettings(w.ben)).mode).toBe('now')
})

test('a mail server that hangs times out and blocks no writes', async () => {
  const mailServer = await startMailServer({ onRecipient: () => new Promise(() => {}) })
  const w = await worldWithMail(mailServer.url)
  startMailWorker(w, 2000)
  await mentionBen(w)
  w.clock.advance(MINUTE_MS)
  await waitUntil(() => mailServer.handler.recipientCount > 0)
  await w.ada['tasks.create']({ project_id: w.board.project_id, title: 'Meanwhile' })
  expect((await mailSettings(w.ben)).last_error).toBeNull()
  await waitUntil(async () => (await mailSettings(w.ben)).last_error !== null)
  expect((await mailSettings(w.ben)).last_error).toContain('too long to respond')
})

test('several servers send an email once', async () => {
  const mailServer = await startMailServer({
    onRecipient: () => Bun.sleep(100).then(() => undefined),
  })
  const w = await worldWithMail(mailServer.url)
  for (let many = 0; many < 4; many++) startMailWorker(w)
  await mentionBen(w)
  w.clock.advance(MINUTE_MS)
  await waitUntil(() => mailServer.emails.length > 0)
  await waitForChecks()
  await waitForChecks()
  expect(mailServer.emails).toHaveLength(1)
})

test('an email that a killed server was sending is sent by another server later', async () => {
  const mailServer = await startMailServer({ onRecipient: () => new Promise(() => {}) })
  const w = await worldWithMail(mailServer.url)
  const stop = startMailWorker(w)
  await mentionBen(w)
  w.clock.advance(MINUTE_MS)
  await waitUntil(() => mailServer.handler.recipientCount > 0)
  void stop()
  mailServer.handler.onRecipient = () => undefined
  startMailWorker(w)
  await waitForChecks()
  expect(mailServer.emails).toEqual([])
  w.clock.advance(2 * MINUTE_MS)
  await waitUntil(() => mailServer.emails.length === 1)
})
