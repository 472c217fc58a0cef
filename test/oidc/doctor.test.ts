import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/index.ts'
import { checkIssuers } from '../../src/doctor/issuers.ts'
import { type ScriptedIssuer, startScriptedIssuer } from '../support/scripted-issuer.ts'

let issuer: ScriptedIssuer

beforeAll(async () => {
  issuer = await startScriptedIssuer()
})
afterAll(() => issuer.stop())
beforeEach(() => issuer.behave({}))

const now = () => new Date()

const check = (env: Record<string, string> = {}, clock = now) =>
  checkIssuers(
    readConfig({
      ...{ CORK_OIDC_ISSUER: issuer.url, CORK_OIDC_CLIENT_ID: 'board' },
      ...{ CORK_OIDC_NAME: 'Harbour ID', CORK_URL: 'https://board.example.com', ...env },
    }),
    clock,
  )

test('without an issuer there is nothing to check', async () => {
  expect(await checkIssuers(readConfig({}), now)).toEqual([])
})

test('a reachable issuer is fine, and its redirect URI is printed', async () => {
  const [finding] = await check()
  expect(finding).toEqual({
    ...{ check: 'sign-in', state: 'ok' },
    says: `Harbour ID, ${issuer.url}; allow the redirect URI https://board.example.com/sign-in/1/callback there`,
  })
})

test('an issuer that is down, or that calls itself by another address, is a problem', async () => {
  const [down] = await check({ CORK_OIDC_ISSUER: 'http://127.0.0.1:9' })
  expect(down).toMatchObject({
    state: 'problem',
    hint: expect.stringContaining('CORK_OIDC_ISSUER'),
  })
  issuer.behave({ discovery: { issuer: 'https://id.example.com' } })
  const [other] = await check({ CORK_OIDC_ONLY: 'yes' })
  expect(other!.says).toContain('names another issuer. Copy its "issuer" to CORK_OIDC_ISSUER')
  expect(other!.hint).toContain('nobody can sign in.')
})

test('a clock that differs from that of the issuer is a problem', async () => {
  const [, clock] = await check({}, () => new Date(Date.now() + 90_000))
  expect(clock).toMatchObject({ state: 'problem' })
  // A busy server writes its Date header a few seconds late.
  expect(clock!.says).toMatch(/the clock of this machine is [89]\d s ahead of that of Harbour ID/)
})

test('people cannot come by group if no group has a role', async () => {
  const [, finding] = await check({ CORK_OIDC_NEW_PEOPLE: 'groups' })
  expect(finding).toMatchObject({
    state: 'warning',
    hint: expect.stringContaining('CORK_OIDC_ROLES'),
  })
})
