import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startMailServer } from '../support/smtp.ts'
import { waitUntil } from '../support/wait.ts'
import {
  cleanUp,
  cork,
  createFolder,
  executableEnv,
  initDataFolder,
  runCommand,
  sendRequest,
  startServer,
} from './cork.ts'

afterAll(cleanUp)

test('an invitation is emailed with a working link, and cork mail test reports the result', async () => {
  const mailServer = await startMailServer()
  const { data, team_id, api_key } = await initDataFolder()
  const CORK_SMTP_URL = `${mailServer.url}?from=Corkboard%20<cork@example.com>`
  const server = await startServer(data, { env: { CORK_SMTP_URL } })
  const { body } = await sendRequest(
    server.url,
    api_key,
    'POST',
    `/api/v1/teams/${team_id}/invitations`,
    {
      ...{ email: 'eve@example.com', role: 'member' },
    },
  )
  expect(body.data.mailed).toBe(true)
  await waitUntil(() => mailServer.emails.length === 1)
  const [{ text, headers }] = mailServer.emails as [(typeof mailServer.emails)[0]]
  expect(headers.get('from')).toBe('Corkboard <cork@example.com>')
  const link = /^Join the team: (\S+)$/m.exec(text)![1]!
  expect(link).toStartWith(server.url)
  const page = await fetch(link)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Harbour')])

  const env = { CORK_URL: server.url, CORK_TOKEN: api_key }
  const result = await cork(['mail', 'test'], { env })
  expect(result).toMatchObject({ code: 0, err: '' })
  expect(result.out).toStartWith('Sent to ada@example.com: 250')
  const preferences = await cork(['mail', 'set', '--mode', 'daily', '--hour', '7', '--json'], {
    env,
  })
  expect(JSON.parse(preferences.out)).toMatchObject({ mode: 'daily', hour: 7, available: true })
  expect(await server.end()).toBe(0)
  expect(await server.err()).toBe('')
})

test('a server works while its mail server is down, and cork doctor warns of it', async () => {
  const mailServer = await startMailServer()
  const { data, team_id, api_key } = await initDataFolder()
  const CORK_SMTP_URL = `smtp://me:geheim@127.0.0.1:${mailServer.port}`
  const doctor = async () => {
    const args = ['doctor', '--data', data, '--json']
    const { out, code } = await cork(args, { env: await executableEnv(args, { CORK_SMTP_URL }) })
    expect([code, out]).toEqual([0, expect.not.stringContaining('geheim')])
    return JSON.parse(out).find(({ check }: { check: string }) => check === 'mail')
  }
  await mailServer.close()
  expect(await doctor()).toMatchObject({
    state: 'warning',
    says: expect.stringContaining('Connection refused'),
    hint: expect.stringContaining('Check that it is up'),
  })
  const server = await startServer(data, { env: { CORK_SMTP_URL, CORK_LOG_LEVEL: 'error' } })
  const invitation = { email: 'eve@example.com', role: 'member' }
  const path = `/api/v1/teams/${team_id}/invitations`
  expect((await sendRequest(server.url, api_key, 'POST', path, invitation)).status).toBe(201)
  const settings = { port: mailServer.port, allowInsecureAuth: true, authOptional: false }
  await startMailServer({ ...settings, onAuth: (_, __, done) => done(null, { user: 'me' }) })
  expect(await doctor()).toMatchObject({ state: 'ok' })
  expect(await server.end()).toBe(0)
})

/** A self-signed certificate for this machine. */
async function createCertificate() {
  const directory = createFolder()
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const keyOptions = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ]
  const subjectOptions = [
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
  ]
  const { code } = await runCommand([
    ...['openssl', 'req', '-x509', ...keyOptions, '-keyout', key, '-out', cert, ...subjectOptions],
  ])
  expect(code).toBe(0)
  return { file: cert, key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

test('emails are sent over TLS with a certificate that the operator trusts', async () => {
  const { file, key, cert } = await createCertificate()
  const base = { key, cert, allowInsecureAuth: false, authOptional: false }
  const implicitTls = await startMailServer({
    ...{ ...base, secure: true },
    onAuth: (_, __, done) => done(null, { user: 'me' }),
  })
  const startTls = await startMailServer({
    ...{ ...base, disabledCommands: [] },
    onAuth: (_, __, done) => done(null, { user: 'me' }),
  })
  for (const { emails, url } of [
    { ...implicitTls, url: `smtps://me:secret@127.0.0.1:${implicitTls.port}` },
    { ...startTls, url: `smtp://me:secret@127.0.0.1:${startTls.port}?tls=required` },
  ]) {
    const { data, api_key } = await initDataFolder()
    const env = { CORK_SMTP_URL: url, NODE_EXTRA_CA_CERTS: file }
    const server = await startServer(data, { env })
    const { body } = await sendRequest(server.url, api_key, 'POST', '/api/v1/profile/mail/test', {})
    expect(body.data).toMatchObject({ sent: true })
    expect(emails).toMatchObject([{ isSecure: true, to: ['ada@example.com'] }])
    await server.end()
  }
})
