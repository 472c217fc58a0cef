import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { postOffice } from '../smtp.ts'
import { ask, cork, ended, folder, initiated, serving, surroundings, sweep } from './cork.ts'
import { eventually } from './hearing.ts'

afterAll(sweep)

test('an invitation is emailed with a working link, and cork mail test reports the result', async () => {
  const office = await postOffice()
  const { data, team_id, api_key } = await initiated()
  const CORK_SMTP_URL = `${office.url}?from=Corkboard%20<cork@example.com>`
  const server = await serving(data, { env: { CORK_SMTP_URL } })
  const { body } = await ask(server.url, api_key, 'POST', `/api/v1/teams/${team_id}/invitations`, {
    ...{ email: 'eve@example.com', role: 'member' },
  })
  expect(body.data.mailed).toBe(true)
  await eventually(() => office.letters.length === 1)
  const [{ text, headers }] = office.letters as [(typeof office.letters)[0]]
  expect(headers.get('from')).toBe('Corkboard <cork@example.com>')
  const link = /^Join the team: (\S+)$/m.exec(text)![1]!
  expect(link).toStartWith(server.url)
  const page = await fetch(link)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Harbour')])

  const env = { CORK_URL: server.url, CORK_TOKEN: api_key }
  const tried = await cork(['mail', 'test'], { env })
  expect(tried).toMatchObject({ code: 0, err: '' })
  expect(tried.out).toStartWith('Sent to ada@example.com: 250')
  const set = await cork(['mail', 'set', '--mode', 'daily', '--hour', '7', '--json'], { env })
  expect(JSON.parse(set.out)).toMatchObject({ mode: 'daily', hour: 7, available: true })
  expect(await server.end()).toBe(0)
  expect(await server.err()).toBe('')
})

test('a server works while its mail server is down, and cork doctor warns of it', async () => {
  const office = await postOffice()
  const { data, team_id, api_key } = await initiated()
  const CORK_SMTP_URL = `smtp://me:geheim@127.0.0.1:${office.port}`
  const doctor = async () => {
    const args = ['doctor', '--data', data, '--json']
    const { out, code } = await cork(args, { env: await surroundings(args, { CORK_SMTP_URL }) })
    expect([code, out]).toEqual([0, expect.not.stringContaining('geheim')])
    return JSON.parse(out).find(({ check }: { check: string }) => check === 'mail')
  }
  await office.close()
  expect(await doctor()).toMatchObject({
    state: 'warning',
    says: expect.stringContaining('Connection refused'),
    hint: expect.stringContaining('Check that it is up'),
  })
  const server = await serving(data, { env: { CORK_SMTP_URL, CORK_LOG_LEVEL: 'error' } })
  const given = { email: 'eve@example.com', role: 'member' }
  const path = `/api/v1/teams/${team_id}/invitations`
  expect((await ask(server.url, api_key, 'POST', path, given)).status).toBe(201)
  const again = { port: office.port, allowInsecureAuth: true, authOptional: false }
  await postOffice({ ...again, onAuth: (_, __, done) => done(null, { user: 'me' }) })
  expect(await doctor()).toMatchObject({ state: 'ok' })
  expect(await server.end()).toBe(0)
})

/** A self-signed certificate for this machine. */
async function certified() {
  const place = folder()
  const [key, cert] = [join(place, 'key.pem'), join(place, 'cert.pem')]
  const how = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const whose = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const { code } = await ended([
    ...['openssl', 'req', '-x509', ...how, '-keyout', key, '-out', cert, ...whose],
  ])
  expect(code).toBe(0)
  return { file: cert, key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

test('emails are sent over TLS with a certificate that the operator trusts', async () => {
  const { file, key, cert } = await certified()
  const accept = { key, cert, allowInsecureAuth: false, authOptional: false }
  const implicit = await postOffice({
    ...{ ...accept, secure: true },
    onAuth: (_, __, done) => done(null, { user: 'me' }),
  })
  const offering = await postOffice({
    ...{ ...accept, disabledCommands: [] },
    onAuth: (_, __, done) => done(null, { user: 'me' }),
  })
  for (const { letters, url } of [
    { ...implicit, url: `smtps://me:secret@127.0.0.1:${implicit.port}` },
    { ...offering, url: `smtp://me:secret@127.0.0.1:${offering.port}?tls=required` },
  ]) {
    const { data, api_key } = await initiated()
    const env = { CORK_SMTP_URL: url, NODE_EXTRA_CA_CERTS: file }
    const server = await serving(data, { env })
    const { body } = await ask(server.url, api_key, 'POST', '/api/v1/profile/mail/test', {})
    expect(body.data).toMatchObject({ sent: true })
    expect(letters).toMatchObject([{ isSecure: true, to: ['ada@example.com'] }])
    await server.end()
  }
})
