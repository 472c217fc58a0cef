import { expect, test } from 'bun:test'
import { BadConfig, describeConfig, readConfig, unknownVariables } from '../../src/config/index.ts'
import { identityOf } from '../../src/oidc/identity.ts'

const BASE = { CORK_OIDC_ISSUER: 'https://id.example.com', CORK_OIDC_CLIENT_ID: 'board' }
const issuersIn = (env: Record<string, string>) => readConfig({ ...BASE, ...env }).issuers

test('an issuer needs only its address and a client ID', () => {
  expect(readConfig({}).issuers).toEqual([])
  expect(issuersIn({})).toEqual([
    {
      ...{ number: 1, name: 'id.example.com', issuer: 'https://id.example.com', clientId: 'board' },
      ...{ clientSecret: undefined, scopes: 'openid email profile', groupsClaim: 'groups' },
      ...{ roles: [], newPeople: { groups: false, domains: [] }, trustsEmail: false },
    },
  ])
})

test('groups may contain the characters that separate entries', () => {
  const roles = 'cn=admins,ou=groups,dc=example=Harbour:admin, /staff = 3:member ,x=Two words:guest'
  expect(issuersIn({ CORK_OIDC_ROLES: roles })[0]!.roles).toEqual([
    { group: 'cn=admins,ou=groups,dc=example', team: 'Harbour', role: 'admin' },
    { group: '/staff', team: '3', role: 'member' },
    { group: 'x', team: 'Two words', role: 'guest' },
  ])
})

test('new people are listed by domain, with the team that they join', () => {
  const newPeople = 'groups, Example.com, @a.example.org=Harbour:member'
  expect(issuersIn({ CORK_OIDC_NEW_PEOPLE: newPeople })[0]!.newPeople).toEqual({
    groups: true,
    domains: [
      { domain: 'example.com' },
      { domain: 'a.example.org', join: { team: 'Harbour', role: 'member' } },
    ],
  })
})

const invalid: [Record<string, string>, string][] = [
  [{ CORK_OIDC_ISSUER: 'id.example.com' }, 'CORK_OIDC_ISSUER must be the address'],
  [{ CORK_OIDC_ISSUER: 'ldap://id.example.com' }, 'CORK_OIDC_ISSUER must be the address'],
  [{ CORK_OIDC_ISSUER: 'https://me:secret@id.example.com' }, 'must be the address'],
  [{ CORK_OIDC_CLIENT_ID: '' }, 'also needs CORK_OIDC_CLIENT_ID. Omit all of CORK_OIDC_…'],
  [{ CORK_OIDC_SCOPES: 'email' }, 'CORK_OIDC_SCOPES must contain openid'],
  [{ CORK_OIDC_ROLES: 'staff' }, 'staff=Harbour:member, separated by commas, not "staff"'],
  [{ CORK_OIDC_ROLES: 'a=Harbour:boss' }, 'not "a=Harbour:boss"'],
  [{ CORK_OIDC_NEW_PEOPLE: 'everybody' }, 'not "everybody"'],
  [{ CORK_OIDC_NEW_PEOPLE: 'example.com=Harbour' }, 'not "example.com=Harbour"'],
  [{ CORK_OIDC_TRUST_EMAIL: 'true' }, 'CORK_OIDC_TRUST_EMAIL must be yes or no, not "true"'],
  [{ CORK_OIDC_2_NAME: 'Two' }, 'also needs CORK_OIDC_2_ISSUER and CORK_OIDC_2_CLIENT_ID'],
  [{ CORK_OIDC_2_ISSUER: 'x' }, 'CORK_OIDC_2_ISSUER must be the address'],
]

for (const [env, message] of invalid)
  test(`${JSON.stringify(env)} is refused with a reason`, () => {
    expect(() => issuersIn(env)).toThrow(BadConfig)
    expect(() => issuersIn(env)).toThrow(message)
  })

test('passwords can be off only if there is an issuer', () => {
  expect(() => readConfig({ CORK_OIDC_ONLY: 'yes' })).toThrow('also needs CORK_OIDC_ISSUER')
  expect(readConfig({ ...BASE, CORK_OIDC_ONLY: 'yes' }).oidcOnly).toBe(true)
})

test('cork config lists further issuers with masked secrets, and knows their names', () => {
  const env = {
    ...BASE,
    ...{ CORK_OIDC_3_ISSUER: 'https://x.example.com', CORK_OIDC_3_CLIENT_ID: 'b' },
    CORK_OIDC_3_CLIENT_SECRET: 'geheim',
  }
  const shown = describeConfig(env).find(({ name }) => name === 'CORK_OIDC_3_CLIENT_SECRET')
  expect(shown).toMatchObject({ value: '(6 characters)', origin: 'environment' })
  expect(JSON.stringify(describeConfig(env))).not.toContain('geheim')
  expect(unknownVariables(env)).toEqual([])
  expect(unknownVariables({ CORK_OIDC_3_NAM: 'x' })[0]).toContain('is not a setting')
})

const [settings] = issuersIn({ CORK_OIDC_GROUPS_CLAIM: 'realm_access.roles' })
const claimsOf = (claims: Record<string, unknown>, overrides = {}) =>
  identityOf({ ...settings!, ...overrides }, { iss: 'i', sub: 's', ...claims }, 'token')

test('a claim of groups is found by its whole name, or by the path of its dots', () => {
  expect(claimsOf({ realm_access: { roles: ['a', 1, 'b'] } }).groups).toEqual(['a', 'b'])
  expect(claimsOf({ 'realm_access.roles': 'one' }).groups).toEqual(['one'])
  expect(claimsOf({ realm_access: 'text' }).groups).toEqual([])
  expect(claimsOf({}).groups).toEqual([])
})

test('groups that the issuer left out because they are too many are unknown', () => {
  const claims = { _claim_names: { groups: 'src1' } }
  expect(claimsOf(claims, { groupsClaim: 'groups' }).groups).toBeUndefined()
})

const verified: [Record<string, unknown>, boolean, boolean][] = [
  [{ email_verified: true }, false, true],
  [{ email_verified: 'true' }, false, true],
  [{ email_verified: false }, true, false],
  [{ email_verified: 'no' }, true, false],
  [{ xms_edov: '1' }, false, true],
  [{ xms_edov: false }, true, false],
  [{}, true, true],
  [{}, false, false],
]

for (const [claims, trustsEmail, isVerified] of verified)
  test(`${JSON.stringify(claims)} is ${isVerified ? '' : 'not '}verified${trustsEmail ? ' where addresses are trusted' : ''}`, () => {
    const { isEmailVerified } = claimsOf({ email: 'Zoe@example.com', ...claims }, { trustsEmail })
    expect(isEmailVerified).toBe(isVerified)
  })

test('without an address nothing is verified', () => {
  expect(claimsOf({ email_verified: true })).toMatchObject({
    ...{ email: undefined, isEmailVerified: false },
  })
})
