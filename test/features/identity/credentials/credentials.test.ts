import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  credentials,
  newSecret,
  openKey,
  SigningKey,
  signingKeys,
} from '../../../../src/features/identity/credentials/model/index.ts'
import { world } from '../../../support/world.ts'

const DAY_MS = 24 * 60 * 60 * 1000

test('a new API key works, is shown in full once, and is listed and logged without its secret', async () => {
  const { ada, http, changes } = await world()
  const created = await http(ada, 'POST', '/api/v1/api-keys', { name: 'Laptop' })
  expect(created.status).toBe(201)
  const { key, prefix, api_key_id } = created.body.data
  expect(key).toMatch(/^cork_[\w-]{43}$/)
  expect(key.startsWith(prefix)).toBe(true)
  expect(created.body.data).toMatchObject({ name: 'Laptop', scopes: null, expires_at: null })
  expect((await http({ secret: key }, 'GET', '/api/v1/projects')).status).toBe(200)
  const listed = await http(ada, 'GET', '/api/v1/api-keys')
  expect(listed.body.data.map((row: { name: string }) => row.name)).toContain('Laptop')
  expect(listed.text).not.toContain(key)
  const log = await changes()
  expect(log.at(-1)).toMatchObject({
    type: 'credential.created',
    team_id: null,
    data: { credential_id: api_key_id, kind: 'key', name: 'Laptop' },
  })
  expect(JSON.stringify(log)).not.toContain(key)
})

test('the credentials table contains no API key or access token in plain text', async () => {
  const { ada, store } = await world()
  const { key } = await ada['api_keys.create']({ name: 'Laptop' })
  const { token } = await ada['access_tokens.create']({ name: 'Assistant' })
  const stored = JSON.stringify(await store.read((tx) => tx.select().from(credentials)))
  expect(stored).not.toContain(key)
  expect(stored).not.toContain(token)
})

test('an eleventh active key is refused until one is revoked or has expired', async () => {
  const { ada, clock, http } = await world()
  const expires_at = new Date(clock.now.getTime() + DAY_MS).toISOString()
  // The key with which Ada calls is one of the ten.
  for (let i = 0; i < 8; i++) await ada['api_keys.create']({ name: `Key ${i}` })
  await ada['api_keys.create']({ name: 'Short', expires_at })
  const response = await http(ada, 'POST', '/api/v1/api-keys', { name: 'Eleventh' })
  expect(response.status).toBe(409)
  expect(response.body).toMatchObject({
    message: 'You already have 10 active API keys, which is the maximum',
    details: { limit: 10 },
    hint: expect.stringContaining('Revoke one'),
  })
  const { items } = await ada['api_keys.list']({ limit: 50 })
  const first = items.find(({ name }) => name === 'Key 0')!
  await ada['api_keys.revoke']({ api_key_id: first.api_key_id })
  await ada['api_keys.create']({ name: 'Tenth again' })
  clock.advance(DAY_MS)
  await ada['api_keys.create']({ name: 'After one expired' })
  const refusedAgain = await http(ada, 'POST', '/api/v1/api-keys', { name: 'Eleventh' })
  expect(refusedAgain.status).toBe(409)
})

test('the list of keys is searched by name, ignoring case', async () => {
  const { ada } = await world()
  for (const name of ['Laptop', 'Phone']) await ada['api_keys.create']({ name })
  const { items } = await ada['api_keys.list']({ search: 'PHON' })
  expect(items.map(({ name }) => name)).toEqual(['Phone'])
})

test('the limit of ten keys applies to each person separately', async () => {
  const { ada, ben } = await world()
  for (let i = 0; i < 9; i++) await ada['api_keys.create']({ name: `Key ${i}` })
  expect(await ben['api_keys.create']({ name: 'Mine' })).toMatchObject({ name: 'Mine' })
})

test('concurrent creations cannot exceed the limit of ten keys', async () => {
  const { ada } = await world()
  const creations = Array.from({ length: 15 }, (_, i) =>
    ada['api_keys.create']({ name: `Key ${i}` }),
  )
  const successful = (await Promise.allSettled(creations)).filter(
    ({ status }) => status === 'fulfilled',
  )
  expect(successful).toHaveLength(9)
})

test('a revoked key is refused at once, and cannot be revoked again', async () => {
  const { ada, http, changeTypes } = await world()
  const { key, api_key_id } = await ada['api_keys.create']({ name: 'Lost' })
  const path = `/api/v1/api-keys/${api_key_id}`
  const revoked = await http(ada, 'DELETE', path)
  expect(revoked.body.data).toEqual({
    api_key_id,
    name: 'Lost',
    revoked_at: '2026-11-20T12:00:00.000Z',
  })
  expect(await changeTypes()).toEqual(['credential.created', 'credential.revoked'])
  const response = await http({ secret: key }, 'GET', '/api/v1/projects')
  expect(response.status).toBe(401)
  expect(response.body.message).toBe('This credential was revoked')
  expect((await http(ada, 'DELETE', path)).status).toBe(404)
  expect((await http(ada, 'GET', '/api/v1/api-keys')).text).not.toContain('Lost')
})

test('a person cannot list or revoke the keys and tokens of others', async () => {
  const { ada, ben, http } = await world()
  const { api_key_id } = await ada['api_keys.create']({ name: 'Hers' })
  const { access_token_id, token } = await ada['access_tokens.create']({ name: 'Hers' })
  expect((await http(ben, 'DELETE', `/api/v1/api-keys/${api_key_id}`)).status).toBe(404)
  expect((await http(ben, 'DELETE', `/api/v1/access-tokens/${access_token_id}`)).status).toBe(404)
  // Keys and tokens share a table, but the route for keys must not revoke a token.
  expect((await http(ada, 'DELETE', `/api/v1/api-keys/${access_token_id}`)).status).toBe(404)
  expect((await http(ben, 'GET', '/api/v1/api-keys')).text).not.toContain('Hers')
  expect((await http(ben, 'GET', '/api/v1/access-tokens')).body.data).toEqual([])
  expect((await http({ secret: token }, 'GET', '/api/v1/projects')).status).toBe(200)
})

test('an agent cannot list, create or revoke keys and access tokens', async () => {
  const { bot, http } = await world()
  for (const path of ['/api/v1/api-keys', '/api/v1/access-tokens']) {
    expect((await http(bot, 'GET', path)).status).toBe(403)
    expect((await http(bot, 'POST', path, { name: 'Sneaky' })).status).toBe(403)
    expect((await http(bot, 'DELETE', `${path}/1`)).status).toBe(403)
  }
})

test('a key is limited to its scopes and otherwise refused with 403', async () => {
  const { ada, http } = await world()
  const { key } = await ada['api_keys.create']({ name: 'Reader', scopes: ['projects:read'] })
  expect((await http({ secret: key }, 'GET', '/api/v1/projects')).status).toBe(200)
  const response = await http({ secret: key }, 'POST', '/api/v1/api-keys', { name: 'More' })
  expect(response.status).toBe(403)
  expect(response.body.message).toContain('keys:manage')
})

test('a key or token created with a key cannot exceed its scopes', async () => {
  const { ada, authenticateAs, http } = await world()
  const limited = await authenticateAs(ada.caller.actor_id, 'key', ['keys:manage', 'keys:read'])
  const response = await http(limited, 'POST', '/api/v1/api-keys', {
    name: 'Wide',
    scopes: ['keys:read', 'tasks:write'],
  })
  expect(response.status).toBe(403)
  expect(response.body.message).toContain('tasks:write')
  const child = await limited['api_keys.create']({ name: 'Heir' })
  expect(child.scopes).toEqual(['keys:manage', 'keys:read'])
  expect((await http({ secret: child.key }, 'GET', '/api/v1/projects')).status).toBe(403)
  const token = await limited['access_tokens.create']({ name: 'Heir' })
  expect((await http({ secret: token.token }, 'GET', '/api/v1/projects')).status).toBe(403)
})

test('a key is refused from its expires_at and listed as expired', async () => {
  const { ada, clock, http } = await world()
  const expires_at = '2026-11-21T12:00:00.000Z'
  const { key } = await ada['api_keys.create']({ name: 'A day', expires_at })
  clock.advance(DAY_MS - 1)
  expect((await http({ secret: key }, 'GET', '/api/v1/projects')).status).toBe(200)
  clock.advance(1)
  const expired = await http({ secret: key }, 'GET', '/api/v1/projects')
  expect(expired.status).toBe(401)
  expect(expired.body.message).toBe('This credential has expired')
  const { items } = await ada['api_keys.list']({ sort: 'title:asc' })
  expect(items[0]).toMatchObject({ name: 'A day', expires_at, expired: true })
})

for (const [input, field, code] of [
  [{}, 'name', 'required'],
  [{ name: '' }, 'name', 'required'],
  [{ name: 7 }, 'name', 'invalid_type'],
  [{ name: 'x'.repeat(201) }, 'name', 'too_long'],
  [{ name: 'x', scopes: [] }, 'scopes', 'required'],
  [{ name: 'x', scopes: ['everything'] }, 'scopes.0', 'out_of_range'],
  [{ name: 'x', expires_at: 'tomorrow' }, 'expires_at', 'invalid_format'],
  [{ name: 'x', expires_at: '2027-01-01T00:00:00' }, 'expires_at', 'invalid_format'],
  [{ name: 'x', expires_at: '2026-11-20T12:00:00Z' }, 'expires_at', 'out_of_range'],
  [{ name: 'x', secret: 'mine' }, 'secret', 'unknown_field'],
] as const)
  test(`creating a key with ${JSON.stringify(input).slice(0, 60)} is refused`, async () => {
    const { ada, http, changeTypes } = await world()
    const { status, body } = await http(ada, 'POST', '/api/v1/api-keys', input)
    expect(status).toBe(400)
    expect(body.details).toMatchObject({ field, code })
    expect(await changeTypes()).toEqual([])
  })

test('an access token expires after 30 days and is returned with a client configuration', async () => {
  const { ada, clock, http, key } = await world()
  const created = await ada['access_tokens.create']({ name: 'Assistant' })
  expect(created.expires_at).toBe('2026-12-20T12:00:00.000Z')
  expect(created.token.split('.')).toHaveLength(3)
  expect(created.client_configuration).toEqual({
    type: 'http',
    url: 'http://localhost/mcp',
    headers: { Authorization: `Bearer ${created.token}` },
  })
  // The id of a token without its signature is not a credential.
  const jti = await key.idOf(created.token, clock.now)
  expect((await http({ secret: jti }, 'GET', '/api/v1/projects')).status).toBe(401)
  clock.advance(30 * DAY_MS - 1000)
  expect((await http({ secret: created.token }, 'GET', '/api/v1/projects')).status).toBe(200)
  clock.advance(1000)
  const expired = await http({ secret: created.token }, 'GET', '/api/v1/projects')
  expect(expired.status).toBe(401)
  expect(expired.body.message).toBe('This access token has expired')
})

test('a revoked access token is refused with 401', async () => {
  const { ada, http } = await world()
  const { token, access_token_id } = await ada['access_tokens.create']({ name: 'Assistant' })
  await ada['access_tokens.revoke']({ access_token_id })
  const response = await http({ secret: token }, 'GET', '/api/v1/projects')
  expect(response.status).toBe(401)
  expect(response.body.message).toBe('This credential was revoked')
})

test('a token with a signature of another server is refused with 401', async () => {
  const { ada, clock, http, key } = await world()
  const { token } = await ada['access_tokens.create']({ name: 'Assistant' })
  const jti = await key.idOf(token, clock.now)
  const forged = await new SigningKey(new Uint8Array(32)).sign({ jti })
  for (const secret of [forged, `${token.slice(0, -4)}AAAA`]) {
    const response = await http({ secret }, 'GET', '/api/v1/projects')
    expect(response.status).toBe(401)
    expect(response.body.message).toContain('was not signed by this server')
  }
})

test('a seal is valid only for its purpose and is not a token signature', async () => {
  const key = new SigningKey(new Uint8Array(32))
  expect(key.sealed('session', '1.secret', key.seal('session', '1.secret'))).toBe(true)
  expect(key.sealed('session', '1.secret', key.seal('setup', '1.secret'))).toBe(false)
  const [header, claims, signature] = (await key.sign({ jti: 'x' })).split('.')
  expect(key.seal('', `${header}.${claims}`)).not.toBe(signature!)
})

test('a data folder gets one signing key with mode 600, and a damaged key is an error', async () => {
  const { store, clock } = await world({ hasBoard: false })
  const open = (data: string) =>
    openKey({ data, databaseUrl: undefined, secret: undefined }, store, clock.read)
  const data = join(mkdtempSync(join(tmpdir(), 'cork-')), 'new')
  const token = await (await open(data)).sign({ jti: 'one' })
  const path = join(data, 'signing.key')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path)).toHaveLength(32)
  expect(await (await open(data)).idOf(token, new Date())).toBe('one')
  writeFileSync(path, 'short')
  expect(open(data)).rejects.toThrow(/should be 32 bytes long but has 5/)
  rmSync(path)
  writeFileSync(`${data}.file`, '')
  expect(open(`${data}.file`)).rejects.toThrow(/cannot be used/)
  rmSync(data, { recursive: true })
})

test('servers that share a database use one signing key and require the same CORK_SECRET', async () => {
  const w = await world({ hasBoard: false })
  const open = (secret?: string) =>
    openKey({ data: '', databaseUrl: 'postgres://elsewhere', secret }, w.store, w.clock.read)
  const secret = 'at least sixteen characters'
  const [one, two] = await Promise.all([open(secret), open(secret)])
  const token = await one.sign({ jti: 'one' })
  expect(await two.idOf(token, w.clock.now)).toBe('one')
  expect(await (await open(secret)).idOf(token, w.clock.now)).toBe('one')
  expect(await w.store.read((tx) => tx.select().from(signingKeys))).toHaveLength(1)
  expect(open('another sixteen characters')).rejects.toThrow('CORK_SECRET is not the one')
  expect(open()).rejects.toThrow('openssl rand -base64 32')
  expect(open('too short')).rejects.toThrow('at least 16 characters')
})

test('API keys start with cork_ and agent tokens with corkagent_', () => {
  expect(newSecret('key')).toStartWith('cork_')
  expect(newSecret('agent')).toStartWith('corkagent_')
})
