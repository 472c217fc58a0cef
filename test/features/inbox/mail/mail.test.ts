import { expect, test } from 'bun:test'
import { describeConfig, readConfig } from '../../../../src/config/index.ts'
import { isImportant } from '../../../../src/features/inbox/inbox/model/index.ts'
import { dueAfter, phrase, subjectOf } from '../../../../src/features/inbox/mail/model/rules.ts'
import { KINDS } from '../../../../src/features/inbox/notifications/model/index.ts'
import { textsOf } from '../../../../src/languages/index.ts'
import {
  MINUTE_MS,
  mailSettings,
  mentionBen,
  mentionOf,
  startMailWorker,
  waitForMail,
  worldWithMail,
} from '../../../support/emails.ts'
import { faultOf } from '../../../support/faults.ts'
import { smtpError, startMailServer } from '../../../support/smtp.ts'
import { waitUntil } from '../../../support/wait.ts'
import { world } from '../../../support/world.ts'

test('email notifications are off by default, and the settings show address, hour and kinds', async () => {
  const w = await world()
  const first = await w.http(w.ben, 'GET', '/api/v1/profile/mail')
  expect(first.body.data).toEqual({
    ...{ mode: 'off', hour: 8, time_zone: 'Europe/Berlin', address: 'ben@example.com' },
    kinds: KINDS.filter(isImportant),
    ...{ available: false, next_at: null, last_sent_at: null, last_error: null },
  })
})

test('without a mail server, email settings are saved with a warning that nothing is sent', async () => {
  const w = await world()
  const settings = { mode: 'daily', hour: 6, kinds: ['mentioned', 'mentioned', 'assigned'] }
  const { status, body } = await w.http(w.ben, 'PATCH', '/api/v1/profile/mail', settings)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ mode: 'daily', hour: 6, kinds: ['mentioned', 'assigned'] })
  expect(body.warnings).toEqual([
    {
      ...{ field: 'mode', code: 'unavailable' },
      message:
        'Email is not set up on this server, so nothing is sent. The operator can set CORK_SMTP_URL',
    },
  ])
  expect(await w.changeTypes()).toEqual(['mail.updated'])
  expect(await w.ben['mail.test']({})).toMatchObject({ sent: false, address: 'ben@example.com' })
  await mentionBen(w)
  expect((await mailSettings(w.ben)).next_at).toBe('2026-11-21T05:00:00.000Z')
})

test('agents cannot use email settings, and invalid settings are refused', async () => {
  const w = await world()
  for (const call of [
    () => w.bot['mail.get']({}),
    () => w.bot['mail.update']({ mode: 'now' }),
    () => w.bot['mail.test']({}),
  ])
    expect(await faultOf(call())).toMatchObject({ code: 'forbidden' })
  for (const settings of [{ mode: 'hourly' }, { hour: 24 }, { kinds: ['gossip'] }, { kinds: [] }])
    expect(await faultOf(w.ben['mail.update'](settings as never))).toMatchObject({
      code: 'invalid',
    })
  expect(await w.changeTypes()).toEqual([])
})

test('an empty update of the email settings changes nothing and returns the current ones', async () => {
  const w = await world()
  expect(await w.ben['mail.update']({})).toEqual(await mailSettings(w.ben))
  await w.ben['mail.update']({ mode: 'daily', hour: 6 })
  expect(await w.ben['mail.update']({})).toMatchObject({ mode: 'daily', hour: 6 })
  expect(await w.changeTypes()).toEqual(['mail.updated'])
})

test('a daily email is due at its hour in the reader’s time zone, through clock changes', () => {
  const due = (moment: string, time_zone: string, hour = 8) =>
    dueAfter(new Date(moment), { mode: 'daily', hour, time_zone }).toISOString()
  const berlin = 'Europe/Berlin'
  expect(due('2026-03-27T12:00:00Z', berlin)).toBe('2026-03-28T07:00:00.000Z')
  expect(due('2026-03-28T12:00:00Z', berlin)).toBe('2026-03-29T06:00:00.000Z')
  expect(due('2026-10-24T12:00:00Z', berlin)).toBe('2026-10-25T07:00:00.000Z')
  expect(due('2026-11-20T06:59:59Z', berlin)).toBe('2026-11-20T07:00:00.000Z')
  expect(due('2026-11-20T07:00:00Z', berlin)).toBe('2026-11-21T07:00:00.000Z')
  expect(due('2026-11-20T12:00:00Z', 'Pacific/Auckland')).toBe('2026-11-20T19:00:00.000Z')
  expect(due('2026-11-20T12:00:00Z', 'Asia/Kathmandu')).toBe('2026-11-21T02:15:00.000Z')
  // The clocks skip this hour in March and repeat it in October.
  expect(due('2026-03-29T00:00:00Z', berlin, 2)).toBe('2026-03-29T01:00:00.000Z')
  expect(due('2026-10-25T00:30:00Z', berlin, 2)).toBe('2026-10-26T01:00:00.000Z')
})

test('a daily email is sent at its hour and not before, also after a change of time zone', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url, { mode: 'daily' })
  startMailWorker(w)
  await mentionBen(w)
  expect((await mailSettings(w.ben)).next_at).toBe('2026-11-21T07:00:00.000Z')
  await w.ben['user_context.update_profile']({ time_zone: 'America/New_York' })
  await waitForMail(w)
  expect((await mailSettings(w.ben)).next_at).toBe('2026-11-20T13:00:00.000Z')
  w.clock.advance(60 * MINUTE_MS - 1)
  await Bun.sleep(100)
  expect(mailServer.emails).toEqual([])
  w.clock.advance(1)
  await waitUntil(() => mailServer.emails.length === 1)
  expect(mailServer.emails[0]!.text).toContain('once a day')
  await w.ben['mail.update']({ mode: 'off' })
  await mentionBen(w, 'again')
  expect(await mailSettings(w.ben)).toMatchObject({ mode: 'off', next_at: null })
})

test('an email contains only what happened after email was turned on', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url, { mode: 'off' })
  startMailWorker(w)
  await mentionBen(w, 'before')
  await w.ben['mail.update']({ mode: 'now' })
  await mentionBen(w, 'after', w.tasks.link)
  w.clock.advance(MINUTE_MS)
  await waitUntil(() => mailServer.emails.length === 1)
  expect(mailServer.emails[0]!.text).toContain('after')
  expect(mailServer.emails[0]!.text).not.toContain('before')
})

test('titles, names and comments cannot inject headers or markup into an email', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(`${mailServer.url}?from=K%C3%B6rkchen%20<cork@example.com>`)
  startMailWorker(w)
  const title = 'Größe “prüfen”\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script> 🎈'
  const { task_id } = await w.ada['tasks.create']({ project_id: w.board.project_id, title })
  const display_name = 'Ada\r\nX-Evil: 1 "<eve@example.com>'
  await w.ada['user_context.update_profile']({ display_name })
  await w.ben['user_context.update_profile']({ display_name: 'Bén, "der" <Große>' })
  const text = '@Ben <img src=x onerror=alert(1)> & “so” 🎉\n.\nQUIT'
  await w.ada['comments.add']({ task_id, text, mentions: [mentionOf(w.ben)] })
  await waitForMail(w)
  w.clock.advance(MINUTE_MS)
  await waitUntil(() => mailServer.emails.length === 1)
  const [email] = mailServer.emails as [(typeof mailServer.emails)[0]]
  expect(email.to).toEqual(['ben@example.com'])
  expect(email.headers.has('bcc')).toBe(false)
  expect(email.headers.has('x-evil')).toBe(false)
  expect(email.headers.get('subject')).toContain('Größe “prüfen” Bcc: eve@example.com')
  expect(email.headers.get('subject')).toContain('🎈: Ada X-Evil: 1')
  expect(email.headers.get('from')).toContain('Körkchen')
  expect(email.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(email.html).not.toMatch(/<script|<img/)
  expect(email.text).toContain('Größe “prüfen”')
})

test('an email has the expected headers, a link to the comment and an unsubscribe link', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(`${mailServer.url}?from=Corkboard%20<cork@example.com>`)
  startMailWorker(w)
  const comment = await mentionBen(w)
  w.clock.advance(MINUTE_MS)
  await waitUntil(() => mailServer.emails.length === 1)
  const { headers, from, text, html } = mailServer.emails[0]!
  expect(from).toBe('cork@example.com')
  const link = /<(http:\/\/localhost\/mail\/unsubscribe\/\d+\.[0-9a-f]{64})>/
  const unsubscribeUrl = link.exec(headers.get('list-unsubscribe')!)![1]!
  expect(Object.fromEntries(headers)).toMatchObject({
    from: 'Corkboard <cork@example.com>',
    to: 'Ben <ben@example.com>',
    'auto-submitted': 'auto-generated',
    'list-id': 'Corkboard <notifications.localhost>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'message-id': expect.stringMatching(/^<[\w-]{36}@localhost>$/),
    date: expect.any(String),
  })
  const commentUrl = `http://localhost/t/${w.tasks.copy.ticket_number}#comment-${comment}`
  for (const body of [text, html]) {
    expect(body).toContain(commentUrl)
    expect(body).toContain(unsubscribeUrl)
  }
})

test('the unsubscribe link turns email off by form or one click, and grants nothing else', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url)
  startMailWorker(w)
  await mentionBen(w)
  w.clock.advance(MINUTE_MS)
  await waitUntil(() => mailServer.emails.length === 1)
  const header = mailServer.emails[0]!.headers.get('list-unsubscribe')!
  const path = new URL(header.slice(1, -1)).pathname
  const page = await w.http(undefined, 'GET', path)
  expect(page.status).toBe(200)
  expect(page.text).toContain('ben@example.com')
  expect(page.text).toContain(`<form method="post" action="${path}">`)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect((await mailSettings(w.ben)).mode).toBe('now')

  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.test' }
  const response = await w.http(undefined, 'POST', path, 'List-Unsubscribe=One-Click', form)
  expect([response.status, response.text.includes('Unsubscribed')]).toEqual([200, true])
  expect((await mailSettings(w.ben)).mode).toBe('off')
  expect((await w.changeTypes()).filter((type) => type === 'mail.updated')).toHaveLength(2)
  const after = await w.http(undefined, 'GET', path)
  expect([after.status, after.text.includes('Unsubscribed')]).toEqual([200, true])
  expect(after.text).not.toContain('Corkboard sends')
  expect((await w.http(undefined, 'POST', path, '', form)).status).toBe(200)
  expect((await w.changeTypes()).filter((type) => type === 'mail.updated')).toHaveLength(2)

  await w.ada['mail.update']({ mode: 'now' })
  const adasPath = path.replace(/\d+\./, `${w.ada.caller.actor_id}.`)
  for (const invalidPath of [
    adasPath,
    `${path}0`,
    '/mail/unsubscribe/x',
    '/mail/unsubscribe/99999999999.0',
  ]) {
    expect((await w.http(undefined, 'GET', invalidPath)).status).toBe(404)
    expect((await w.http(undefined, 'POST', invalidPath, '', form)).status).toBe(404)
  }
  expect((await mailSettings(w.ada)).mode).toBe('now')
  const token = path.split('/').at(-1)!
  const tokenResponse = await w.http({ secret: token }, 'GET', '/api/v1/profile/mail')
  expect(tokenResponse.status).toBe(401)
})

test('a test email returns the mail server’s response, and is limited to five an hour', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url)
  const response = await w.http(w.ben, 'POST', '/api/v1/profile/mail/test')
  expect(response.body.data).toEqual({
    ...{ sent: true, address: 'ben@example.com', said: expect.stringContaining('250') },
  })
  expect(mailServer.emails[0]!.headers.get('subject')).toBe('Corkboard test email')
  mailServer.handler.onRecipient = () => smtpError(452, 'Disk full')
  expect(await w.ben['mail.test']({})).toMatchObject({
    sent: false,
    said: '127.0.0.1 refused: 452 Disk full',
  })
  for (let attempt = 2; attempt < 5; attempt++) await w.ben['mail.test']({})
  const sixth = await w.http(w.ben, 'POST', '/api/v1/profile/mail/test')
  expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '3600'])
  expect(mailServer.handler.recipientCount).toBe(5)
  w.clock.advance(60 * MINUTE_MS)
  await w.ben['mail.test']({})
  expect(mailServer.handler.recipientCount).toBe(6)
})

test('each notification kind has its own phrase, and the subject summarizes the notifications', async () => {
  const texts = await textsOf('en')
  const notificationOf = (kind: (typeof KINDS)[number], ticket_number = 'HOM-2') => ({
    ...{ kind, snippet: null, task: { ticket_number, title: 'Pay rent' } },
    actor: { kind: 'person', name: 'Ada' },
  })
  const phrases = KINDS.map((kind) => phrase(texts, notificationOf(kind)))
  expect(new Set(phrases).size).toBe(KINDS.length)
  expect(phrases.join()).not.toContain('_')
  const subject = (isMore: boolean, ...notifications: ReturnType<typeof notificationOf>[]) =>
    subjectOf(texts, notifications, isMore)
  expect(subject(false, notificationOf('mentioned'))).toBe('HOM-2 Pay rent: Ada mentioned you')
  expect(subject(false, notificationOf('mentioned'), notificationOf('assigned'))).toBe(
    'HOM-2 Pay rent: 2 notifications',
  )
  expect(subject(false, notificationOf('mentioned'), notificationOf('replied', 'HOM-3'))).toBe(
    '2 notifications on Corkboard',
  )
  expect(subject(true, notificationOf('mentioned'), notificationOf('assigned'))).toBe(
    'More than 2 notifications on Corkboard',
  )
})

test('an email is in the language of its recipient', async () => {
  const mailServer = await startMailServer()
  const w = await worldWithMail(mailServer.url)
  await w.ben['user_context.update_profile']({ locale: 'ar' })
  await w.http(w.ben, 'POST', '/api/v1/profile/mail/test')
  expect(mailServer.emails[0]!.html).toContain('<html lang="ar" dir="rtl">')
})

test('CORK_SMTP_URL is parsed or refused with a reason, and its password is never shown', () => {
  const read = (CORK_SMTP_URL: string) => readConfig({ CORK_SMTP_URL }).smtp
  expect(read('')).toBeUndefined()
  expect(read('smtp://me%40example.com:p%40ss@mail.example.com')).toEqual({
    ...{ host: 'mail.example.com', port: 587, secure: false, tls: 'required' },
    login: { user: 'me@example.com', password: 'p@ss' },
    from: { name: 'Corkboard', address: 'me@example.com' },
  })
  expect(read('smtps://mail.example.com/?from=Cork%20<c@example.com>')).toEqual({
    ...{ host: 'mail.example.com', port: 465, secure: true, tls: 'offered' },
    from: { name: 'Cork', address: 'c@example.com' },
  })
  expect(read('smtp://u:p@10.0.0.1:25?tls=off')).toMatchObject({ port: 25, tls: 'off' })
  for (const invalidUrl of [
    'mail.example.com',
    'https://me:geheim@mail.example.com',
    'smtp://me:geheim@mail.example.com/path',
    'smtp://me:geheim@mail.example.com?port=25',
    'smtp://me:geheim@mail.example.com?tls=maybe',
    'smtp://me:geheim@mail.example.com?from=nobody',
    'smtp://me:geheim%zz@mail.example.com',
  ]) {
    expect(() => read(invalidUrl)).toThrow(/^CORK_SMTP_URL /)
    const setting = describeConfig({ CORK_SMTP_URL: invalidUrl }).find(
      ({ name }) => name === 'CORK_SMTP_URL',
    )
    expect(setting?.problem).toBeString()
    expect(JSON.stringify(setting)).not.toContain('geheim')
  }
})
