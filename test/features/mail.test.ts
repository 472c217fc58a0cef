import { expect, test } from 'bun:test'
import { describeConfig, readConfig } from '../../src/config/index.ts'
import { isImportant } from '../../src/features/inbox/index.ts'
import { dueAfter, phrase, subjectOf } from '../../src/features/mail/rules.ts'
import { KINDS } from '../../src/features/notifications/index.ts'
import { house, MINUTE_MS, mailing, mentioning, noted, shown, tell } from '../letters.ts'
import { until } from '../mailbox.ts'
import { refused } from '../refused.ts'
import { postOffice, refusal } from '../smtp.ts'
import { world } from '../world.ts'

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
  const wish = { mode: 'daily', hour: 6, kinds: ['mentioned', 'mentioned', 'assigned'] }
  const { status, body } = await w.http(w.ben, 'PATCH', '/api/v1/profile/mail', wish)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ mode: 'daily', hour: 6, kinds: ['mentioned', 'assigned'] })
  expect(body.warnings).toEqual([
    {
      ...{ field: 'mode', code: 'unavailable' },
      message:
        'Email is not set up on this server, so nothing is sent. The operator can set CORK_SMTP_URL',
    },
  ])
  expect(await w.emitted()).toEqual(['mail.updated'])
  expect(await w.ben['mail.test']({})).toMatchObject({ sent: false, address: 'ben@example.com' })
  await tell(w)
  expect((await shown(w.ben)).next_at).toBe('2026-11-21T05:00:00.000Z')
})

test('agents cannot use email settings, and invalid settings are refused', async () => {
  const w = await world()
  for (const call of [
    () => w.bot['mail.get']({}),
    () => w.bot['mail.update']({ mode: 'now' }),
    () => w.bot['mail.test']({}),
  ])
    expect(await refused(call())).toMatchObject({ code: 'forbidden' })
  for (const wish of [{ mode: 'hourly' }, { hour: 24 }, { kinds: ['gossip'] }, { kinds: [] }])
    expect(await refused(w.ben['mail.update'](wish as never))).toMatchObject({ code: 'invalid' })
  expect(await w.emitted()).toEqual([])
})

test('an empty update of the email settings changes nothing and returns the current ones', async () => {
  const w = await world()
  expect(await w.ben['mail.update']({})).toEqual(await shown(w.ben))
  await w.ben['mail.update']({ mode: 'daily', hour: 6 })
  expect(await w.ben['mail.update']({})).toMatchObject({ mode: 'daily', hour: 6 })
  expect(await w.emitted()).toEqual(['mail.updated'])
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
  const office = await postOffice()
  const w = await house(office.url, { mode: 'daily' })
  mailing(w)
  await tell(w)
  expect((await shown(w.ben)).next_at).toBe('2026-11-21T07:00:00.000Z')
  await w.ben['user_context.update_profile']({ time_zone: 'America/New_York' })
  await noted(w)
  expect((await shown(w.ben)).next_at).toBe('2026-11-20T13:00:00.000Z')
  w.clock.pass(60 * MINUTE_MS - 1)
  await Bun.sleep(100)
  expect(office.letters).toEqual([])
  w.clock.pass(1)
  await until(() => office.letters.length === 1)
  expect(office.letters[0]!.text).toContain('once a day')
  await w.ben['mail.update']({ mode: 'off' })
  await tell(w, 'again')
  expect(await shown(w.ben)).toMatchObject({ mode: 'off', next_at: null })
})

test('an email contains only what happened after email was turned on', async () => {
  const office = await postOffice()
  const w = await house(office.url, { mode: 'off' })
  mailing(w)
  await tell(w, 'before')
  await w.ben['mail.update']({ mode: 'now' })
  await tell(w, 'after', w.tasks.link)
  w.clock.pass(MINUTE_MS)
  await until(() => office.letters.length === 1)
  expect(office.letters[0]!.text).toContain('after')
  expect(office.letters[0]!.text).not.toContain('before')
})

test('titles, names and comments cannot inject headers or markup into an email', async () => {
  const office = await postOffice()
  const w = await house(`${office.url}?from=K%C3%B6rkchen%20<cork@example.com>`)
  mailing(w)
  const title = 'Größe “prüfen”\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script> 🎈'
  const { task_id } = await w.ada['tasks.create']({ project_id: w.board.project_id, title })
  const display_name = 'Ada\r\nX-Evil: 1 "<eve@example.com>'
  await w.ada['user_context.update_profile']({ display_name })
  await w.ben['user_context.update_profile']({ display_name: 'Bén, "der" <Große>' })
  const text = '@Ben <img src=x onerror=alert(1)> & “so” 🎉\n.\nQUIT'
  await w.ada['comments.add']({ task_id, text, mentions: [mentioning(w.ben)] })
  await noted(w)
  w.clock.pass(MINUTE_MS)
  await until(() => office.letters.length === 1)
  const [letter] = office.letters as [(typeof office.letters)[0]]
  expect(letter.to).toEqual(['ben@example.com'])
  expect(letter.headers.has('bcc')).toBe(false)
  expect(letter.headers.has('x-evil')).toBe(false)
  expect(letter.headers.get('subject')).toContain('Größe “prüfen” Bcc: eve@example.com')
  expect(letter.headers.get('subject')).toContain('🎈: Ada X-Evil: 1')
  expect(letter.headers.get('from')).toContain('Körkchen')
  expect(letter.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(letter.html).not.toMatch(/<script|<img/)
  expect(letter.text).toContain('Größe “prüfen”')
})

test('an email has the expected headers, a link to the comment and an unsubscribe link', async () => {
  const office = await postOffice()
  const w = await house(`${office.url}?from=Corkboard%20<cork@example.com>`)
  mailing(w)
  const comment = await tell(w)
  w.clock.pass(MINUTE_MS)
  await until(() => office.letters.length === 1)
  const { headers, from, text, html } = office.letters[0]!
  expect(from).toBe('cork@example.com')
  const link = /<(http:\/\/localhost\/mail\/unsubscribe\/\d+\.[0-9a-f]{64})>/
  const stop = link.exec(headers.get('list-unsubscribe')!)![1]!
  expect(Object.fromEntries(headers)).toMatchObject({
    from: 'Corkboard <cork@example.com>',
    to: 'Ben <ben@example.com>',
    'auto-submitted': 'auto-generated',
    'list-id': 'Corkboard <notifications.localhost>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'message-id': expect.stringMatching(/^<[\w-]{36}@localhost>$/),
    date: expect.any(String),
  })
  const place = `http://localhost/t/${w.tasks.copy.ticket_number}#comment-${comment}`
  for (const body of [text, html]) {
    expect(body).toContain(place)
    expect(body).toContain(stop)
  }
})

test('the unsubscribe link turns email off by form or one click, and grants nothing else', async () => {
  const office = await postOffice()
  const w = await house(office.url)
  mailing(w)
  await tell(w)
  w.clock.pass(MINUTE_MS)
  await until(() => office.letters.length === 1)
  const header = office.letters[0]!.headers.get('list-unsubscribe')!
  const path = new URL(header.slice(1, -1)).pathname
  const page = await w.http(undefined, 'GET', path)
  expect(page.status).toBe(200)
  expect(page.text).toContain('ben@example.com')
  expect(page.text).toContain(`<form method="post" action="${path}">`)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect((await shown(w.ben)).mode).toBe('now')

  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.test' }
  const clicked = await w.http(undefined, 'POST', path, 'List-Unsubscribe=One-Click', form)
  expect([clicked.status, clicked.text.includes('Unsubscribed')]).toEqual([200, true])
  expect((await shown(w.ben)).mode).toBe('off')
  expect((await w.emitted()).filter((type) => type === 'mail.updated')).toHaveLength(2)
  const after = await w.http(undefined, 'GET', path)
  expect([after.status, after.text.includes('Unsubscribed')]).toEqual([200, true])
  expect(after.text).not.toContain('Corkboard sends')
  expect((await w.http(undefined, 'POST', path, '', form)).status).toBe(200)
  expect((await w.emitted()).filter((type) => type === 'mail.updated')).toHaveLength(2)

  await w.ada['mail.update']({ mode: 'now' })
  const others = path.replace(/\d+\./, `${w.ada.caller.actor_id}.`)
  for (const bad of [
    others,
    `${path}0`,
    '/mail/unsubscribe/x',
    '/mail/unsubscribe/99999999999.0',
  ]) {
    expect((await w.http(undefined, 'GET', bad)).status).toBe(404)
    expect((await w.http(undefined, 'POST', bad, '', form)).status).toBe(404)
  }
  expect((await shown(w.ada)).mode).toBe('now')
  const token = path.split('/').at(-1)!
  const asKey = await w.http({ secret: token }, 'GET', '/api/v1/profile/mail')
  expect(asKey.status).toBe(401)
})

test('a test email returns the mail server’s response, and is limited to five an hour', async () => {
  const office = await postOffice()
  const w = await house(office.url)
  const yes = await w.http(w.ben, 'POST', '/api/v1/profile/mail/test')
  expect(yes.body.data).toEqual({
    ...{ sent: true, address: 'ben@example.com', said: expect.stringContaining('250') },
  })
  expect(office.letters[0]!.headers.get('subject')).toBe('Corkboard test email')
  office.box.answer = () => refusal(452, 'Disk full')
  expect(await w.ben['mail.test']({})).toMatchObject({
    sent: false,
    said: '127.0.0.1 refused: 452 Disk full',
  })
  for (let many = 2; many < 5; many++) await w.ben['mail.test']({})
  const sixth = await w.http(w.ben, 'POST', '/api/v1/profile/mail/test')
  expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '3600'])
  expect(office.box.asked).toBe(5)
  w.clock.pass(60 * MINUTE_MS)
  await w.ben['mail.test']({})
  expect(office.box.asked).toBe(6)
})

test('each notification kind has its own phrase, and the subject summarizes the notifications', () => {
  const told = (kind: (typeof KINDS)[number], ticket_number = 'HOM-2') => ({
    ...{ kind, snippet: null, task: { ticket_number, title: 'Pay rent' } },
    actor: { kind: 'person', name: 'Ada' },
  })
  const phrases = KINDS.map((kind) => phrase(told(kind)))
  expect(new Set(phrases).size).toBe(KINDS.length)
  expect(phrases.join()).not.toContain('_')
  const subject = (isMore: boolean, ...kinds: ReturnType<typeof told>[]) => subjectOf(kinds, isMore)
  expect(subject(false, told('mentioned'))).toBe('HOM-2 Pay rent: Ada mentioned you')
  expect(subject(false, told('mentioned'), told('assigned'))).toBe(
    'HOM-2 Pay rent: 2 notifications',
  )
  expect(subject(false, told('mentioned'), told('replied', 'HOM-3'))).toBe(
    '2 notifications on Corkboard',
  )
  expect(subject(true, told('mentioned'), told('assigned'))).toBe(
    'More than 2 notifications on Corkboard',
  )
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
  for (const wrong of [
    'mail.example.com',
    'https://me:geheim@mail.example.com',
    'smtp://me:geheim@mail.example.com/path',
    'smtp://me:geheim@mail.example.com?port=25',
    'smtp://me:geheim@mail.example.com?tls=maybe',
    'smtp://me:geheim@mail.example.com?from=nobody',
    'smtp://me:geheim%zz@mail.example.com',
  ]) {
    expect(() => read(wrong)).toThrow(/^CORK_SMTP_URL /)
    const told = describeConfig({ CORK_SMTP_URL: wrong }).find(
      ({ name }) => name === 'CORK_SMTP_URL',
    )
    expect(told?.problem).toBeString()
    expect(JSON.stringify(told)).not.toContain('geheim')
  }
})
