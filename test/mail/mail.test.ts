import { expect, test } from 'bun:test'
import type { SMTPServerOptions } from 'smtp-server'
import { type EmailMessage, MailError } from '../../src/kernel/services.ts'
import { openMail, parseRelayUrl } from '../../src/mail/index.ts'
import { addCleanup } from '../support/database.ts'
import { smtpError, startMailServer } from '../support/smtp.ts'

const EMAIL: EmailMessage = {
  ...{ to: { address: 'eve@example.com' }, subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' },
}

function mailVia(url: string, most?: number) {
  const mail = openMail(parseRelayUrl(url), () => 'https://board.example.com', most)
  addCleanup(() => mail.close())
  return mail
}

async function refusalOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => new Error('The email was sent'),
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
  expect(await mailVia(url).send(EMAIL)).toMatch(/^250 /)
  expect(emails).toMatchObject([{ from: 'corkboard@board.example.com', to: ['eve@example.com'] }])
  expect(emails[0]!.headers.get('from')).toBe('Corkboard <corkboard@board.example.com>')
})

test('a login is sent, and a rejected one is reported without the password', async () => {
  const { port, emails } = await startMailServer(login)
  await mailVia(`smtp://me:p%40ss@127.0.0.1:${port}`).send(EMAIL)
  expect(emails).toHaveLength(1)
  const mail = mailVia(`smtp://me:geheim@127.0.0.1:${port}`)
  for (const call of [() => mail.send(EMAIL), () => mail.check()]) {
    const message = await refusalOf(call())
    expect(message).toContain('rejected the user and password of CORK_SMTP_URL: 535')
    expect(message).not.toContain('geheim')
  }
})

test('TLS is used where it is offered, and an untrusted certificate is refused', async () => {
  const server = await startMailServer({ disabledCommands: [], authOptional: true })
  const implicit = await startMailServer({ secure: true })
  for (const url of [server.url, implicit.url.replace('smtp:', 'smtps:')]) {
    expect(await refusalOf(mailVia(url).send(EMAIL))).toMatch(/certificate/)
    expect(await refusalOf(mailVia(url).check())).toMatch(/certificate/)
  }
  expect([...server.emails, ...implicit.emails]).toEqual([])
  await mailVia(`${server.url}?tls=off`).send(EMAIL)
  expect(server.emails).toMatchObject([{ isSecure: false }])
})

test('with required TLS nothing is sent to a server without STARTTLS', async () => {
  const { url, emails } = await startMailServer()
  expect(await refusalOf(mailVia(`${url}?tls=required`).send(EMAIL))).toContain('STARTTLS')
  expect(emails).toEqual([])
})

test('a silent mail server times out, and an unreachable one is reported', async () => {
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  addCleanup(() => silent.stop(true))
  const startedAt = performance.now()
  const url = `smtp://127.0.0.1:${silent.port}`
  expect(await refusalOf(mailVia(url, 300).send(EMAIL))).toContain('too long to respond')
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  silent.stop(true)
  expect(await refusalOf(mailVia(url).check())).toContain('Connection refused')
})

test('an invalid address or several addresses in one are refused', async () => {
  const { url, emails } = await startMailServer()
  const addresses = ['a@example.com,b@example.com', 'a@example.com>\r\nRCPT TO:<b@example.com', 'a']
  for (const address of addresses)
    expect(await refusalOf(mailVia(url).send({ ...EMAIL, to: { address } }))).toContain(
      'is not a valid email address',
    )
  expect(emails).toEqual([])
})

test('line breaks and bidi controls are removed from the subject and the recipient name', async () => {
  const { url, emails } = await startMailServer()
  const to = { address: 'eve@example.com', name: 'Eve\r\nBcc: x@example.com' }
  await mailVia(url).send({ ...EMAIL, to, subject: 'Pay \u202eevil\u2028now\r\nX: 1' })
  expect(emails[0]!.headers.get('subject')).toBe('Pay  evil now X: 1')
  expect(emails[0]!.headers.get('to')).toContain('Eve Bcc: x@example.com')
  expect([emails[0]!.headers.has('x'), emails[0]!.headers.has('bcc')]).toEqual([false, false])
})

test('a mail server that restarts between two emails gets the second one', async () => {
  const first = await startMailServer()
  const mail = mailVia(first.url)
  await mail.send(EMAIL)
  await first.close()
  await Bun.sleep(50)
  const { emails } = await startMailServer({ port: first.port })
  await mail.send(EMAIL)
  expect(emails).toHaveLength(1)
})
