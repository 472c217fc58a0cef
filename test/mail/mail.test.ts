import { expect, test } from 'bun:test'
import type { SMTPServerOptions } from 'smtp-server'
import { type EmailMessage, MailError } from '../../src/kernel/services.ts'
import { openMail, parseRelayUrl } from '../../src/mail/index.ts'
import { addCleanup } from '../support/database.ts'
import { smtpError, startMailServer } from '../support/smtp.ts'

const LETTER: EmailMessage = {
  ...{ to: { address: 'eve@example.com' }, subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' },
}

function mailVia(url: string, most?: number) {
  const mail = openMail(parseRelayUrl(url), () => 'https://board.example.com', most)
  addCleanup(() => mail.close())
  return mail
}

async function unsent(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => new Error('It was sent'),
    (refused) => refused,
  )
  if (error instanceof MailError) return error.message
  throw error
}

const login: SMTPServerOptions = {
  ...{ disabledCommands: ['STARTTLS'], allowInsecureAuth: true, authOptional: false },
  onAuth: ({ username, password }, _, done) =>
    username === 'me' && password === 'p@ss'
      ? done(null, { user: 'me' })
      : done(smtpError(535, 'Bad credentials')),
}

test('without a configured sender an email is sent from corkboard at the host of the server', async () => {
  const { url, emails } = await startMailServer()
  expect(await mailVia(url).send(LETTER)).toMatch(/^250 /)
  expect(emails).toMatchObject([{ from: 'corkboard@board.example.com', to: ['eve@example.com'] }])
  expect(emails[0]!.headers.get('from')).toBe('Corkboard <corkboard@board.example.com>')
})

test('a login is sent, and a rejected one is reported without the password', async () => {
  const { port, emails } = await startMailServer(login)
  await mailVia(`smtp://me:p%40ss@127.0.0.1:${port}`).send(LETTER)
  expect(emails).toHaveLength(1)
  const wrong = mailVia(`smtp://me:geheim@127.0.0.1:${port}`)
  for (const call of [() => wrong.send(LETTER), () => wrong.check()]) {
    const said = await unsent(call())
    expect(said).toContain('rejected the user and password of CORK_SMTP_URL: 535')
    expect(said).not.toContain('geheim')
  }
})

test('TLS is used where it is offered, and an untrusted certificate is refused', async () => {
  const offering = await startMailServer({ disabledCommands: [], authOptional: true })
  const implicit = await startMailServer({ secure: true })
  for (const url of [offering.url, implicit.url.replace('smtp:', 'smtps:')]) {
    expect(await unsent(mailVia(url).send(LETTER))).toMatch(/certificate/)
    expect(await unsent(mailVia(url).check())).toMatch(/certificate/)
  }
  expect([...offering.emails, ...implicit.emails]).toEqual([])
  await mailVia(`${offering.url}?tls=off`).send(LETTER)
  expect(offering.emails).toMatchObject([{ isSecure: false }])
})

test('with required TLS nothing is sent to a server without STARTTLS', async () => {
  const { url, emails } = await startMailServer()
  expect(await unsent(mailVia(`${url}?tls=required`).send(LETTER))).toContain('STARTTLS')
  expect(emails).toEqual([])
})

test('a silent mail server times out, and an unreachable one is reported', async () => {
  const mute = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  addCleanup(() => mute.stop(true))
  const began = performance.now()
  const url = `smtp://127.0.0.1:${mute.port}`
  expect(await unsent(mailVia(url, 300).send(LETTER))).toContain('too long to respond')
  expect(performance.now() - began).toBeLessThan(2000)
  mute.stop(true)
  expect(await unsent(mailVia(url).check())).toContain('Connection refused')
})

test('an invalid address or several addresses in one are refused', async () => {
  const { url, emails } = await startMailServer()
  const addresses = ['a@example.com,b@example.com', 'a@example.com>\r\nRCPT TO:<b@example.com', 'a']
  for (const address of addresses)
    expect(await unsent(mailVia(url).send({ ...LETTER, to: { address } }))).toContain(
      'is not a valid email address',
    )
  expect(emails).toEqual([])
})

test('line breaks and bidi controls are removed from the subject and the recipient name', async () => {
  const { url, emails } = await startMailServer()
  const to = { address: 'eve@example.com', name: 'Eve\r\nBcc: x@example.com' }
  await mailVia(url).send({ ...LETTER, to, subject: 'Pay \u202eevil\u2028now\r\nX: 1' })
  expect(emails[0]!.headers.get('subject')).toBe('Pay  evil now X: 1')
  expect(emails[0]!.headers.get('to')).toContain('Eve Bcc: x@example.com')
  expect([emails[0]!.headers.has('x'), emails[0]!.headers.has('bcc')]).toEqual([false, false])
})

test('a mail server that restarts between two emails gets the second one', async () => {
  const office = await startMailServer()
  const mail = mailVia(office.url)
  await mail.send(LETTER)
  await office.close()
  await Bun.sleep(50)
  const { emails } = await startMailServer({ port: office.port })
  await mail.send(LETTER)
  expect(emails).toHaveLength(1)
})
