import { eq } from 'drizzle-orm'
import { people } from '../../../src/features/identity/people/model/index.ts'
import { type Attack, INVALID_TOKEN, refusalOf, tokenError } from './attack.ts'
import {
  authorizedCode,
  codeFields,
  type Fields,
  type OAuthWorld,
  RESOURCE,
  refreshFields,
  registerNative,
  type Tokens,
  tokens,
} from './oauth-client.ts'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const OTHER = { client_name: 'Other', redirect_uris: ['https://other.example/callback'] }

/** A code request with changed fields. Undefined removes one. */
const code = (
  name: string,
  overrides: Record<string, string | undefined>,
  error: string,
): Attack => ({
  name,
  async run(w) {
    const { client_id, code } = await authorizedCode(w)
    return refusalOf(await w.token(defined({ ...codeFields(client_id, code), ...overrides })))
  },
  refused: tokenError(error),
})

const defined = (fields: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields

const CODES: Attack[] = [
  code('another code_verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'),
  code('no code_verifier', { code_verifier: undefined }, 'invalid_grant'),
  code('the challenge as the verifier', { code_verifier: 'x'.repeat(44) }, 'invalid_grant'),
  code('a short code_verifier', { code_verifier: 'v' }, 'invalid_grant'),
  code(
    'another redirect address at the token endpoint',
    { redirect_uri: 'http://127.0.0.1:5001/callback' },
    'invalid_grant',
  ),
  code(
    'another resource at the token endpoint',
    { resource: 'http://localhost' },
    'invalid_target',
  ),
  code(
    'the resource of another server at the token endpoint',
    { resource: 'https://evil.example/mcp' },
    'invalid_target',
  ),
  code('an unknown code', { code: 'unknown' }, 'invalid_grant'),
  code('no code', { code: undefined }, 'invalid_grant'),
  code('no client at the token endpoint', { client_id: undefined }, 'invalid_client'),
  code('the password grant', { grant_type: 'password' }, 'unsupported_grant_type'),
  code(
    'the client credentials grant',
    { grant_type: 'client_credentials' },
    'unsupported_grant_type',
  ),
  code('no grant type', { grant_type: undefined }, 'invalid_request'),
  {
    name: 'a code of another client',
    async run(w) {
      const { code } = await authorizedCode(w)
      return refusalOf(await w.token(codeFields(await registerNative(w, OTHER), code)))
    },
    refused: tokenError('invalid_grant'),
  },
  {
    name: 'a code that has expired',
    async run(w) {
      const { client_id, code } = await authorizedCode(w)
      w.clock.advance(61_000)
      return refusalOf(await w.token(codeFields(client_id, code)))
    },
    refused: tokenError('invalid_grant'),
  },
  {
    name: 'a code that was used before',
    async run(w) {
      const { client_id, code } = await authorizedCode(w)
      await w.token(codeFields(client_id, code))
      return refusalOf(await w.token(codeFields(client_id, code)))
    },
    refused: tokenError('invalid_grant'),
  },
  {
    name: 'the access token of a code that was used twice',
    async run(w) {
      const { client_id, code } = await authorizedCode(w)
      const { body } = await w.token(codeFields(client_id, code))
      await w.token(codeFields(client_id, code))
      return refusalOf(await w.mcp(body.access_token))
    },
    refused: INVALID_TOKEN,
  },
  {
    name: 'a code of a person who was deactivated meanwhile',
    async run(w) {
      const { client_id, code } = await authorizedCode(w)
      await deactivateAda(w)
      return refusalOf(await w.token(codeFields(client_id, code)))
    },
    refused: tokenError('invalid_grant'),
  },
  {
    name: 'a token request with a repeated parameter',
    async run(w) {
      const { client_id, code } = await authorizedCode(w)
      const fields = Object.entries(codeFields(client_id, code))
      return refusalOf(await w.token([...fields, ['code_verifier', 'w'.repeat(43)]]))
    },
    refused: tokenError('invalid_request'),
  },
  {
    name: 'a token request as JSON',
    async run(w) {
      const { client_id, code } = await authorizedCode(w)
      const body = JSON.stringify(codeFields(client_id, code))
      const headers = { 'content-type': 'application/json' }
      return refusalOf(await w.send('/oauth/token', { method: 'POST', headers, body }))
    },
    refused: tokenError('invalid_request'),
  },
  {
    name: 'a token request with a client secret',
    async run(w) {
      const authorization = `Basic ${btoa('cork:secret')}`
      return refusalOf(await w.token({ grant_type: 'refresh_token' }, { authorization }))
    },
    refused: tokenError('invalid_client'),
  },
]

const deactivateAda = ({ store, ada, clock }: OAuthWorld) =>
  store.write((tx) =>
    tx
      .update(people)
      .set({ deactivated_at: clock.now })
      .where(eq(people.actor_id, ada.caller.actor_id)),
  )

/** A refresh with changed fields. */
const refresh = (
  name: string,
  change: (w: OAuthWorld, own: Tokens) => Promise<Fields> | Fields,
  error = 'invalid_grant',
): Attack => ({
  name,
  async run(w) {
    const own = await tokens(w, {}, { scope: 'tasks:read' })
    return refusalOf(await w.token({ ...refreshFields(own), ...(await change(w, own)) }))
  },
  refused: tokenError(error),
})

const REFRESHES: Attack[] = [
  refresh('a refresh token of another client', async (w) => ({
    client_id: await registerNative(w, OTHER),
  })),
  refresh('a refresh token with another generation', (_, { refresh_token }) => ({
    refresh_token: refresh_token.replace('.1.', '.2.'),
  })),
  refresh('a refresh token for another grant', (_, { refresh_token }) => ({
    refresh_token: refresh_token.replace(/_\d+/, '_1'),
  })),
  refresh('a refresh token with another seal', (_, { refresh_token }) => ({
    refresh_token: `${refresh_token.slice(0, -3)}AAA`,
  })),
  refresh('an access token as a refresh token', (_, { access_token }) => ({
    refresh_token: access_token,
  })),
  refresh(
    'a refresh with more scopes',
    () => ({ scope: 'tasks:read tasks:write' }),
    'invalid_scope',
  ),
  refresh(
    'a refresh for another resource',
    () => ({ resource: 'http://localhost' }),
    'invalid_target',
  ),
  refresh('a refresh token of a revoked grant', async (w) => {
    const { apps } = await w.ada['grants.list']({})
    await w.ada['grants.revoke']({ grant_id: apps[0]!.grant_id })
    return {}
  }),
  refresh('a refresh token of a deactivated person', async (w) => {
    await deactivateAda(w)
    return {}
  }),
  refresh('a refresh token of a grant that has expired', (w) => {
    w.clock.advance(91 * 24 * 60 * 60_000)
    return {}
  }),
  refresh('a refresh token that was used a minute ago', async (w, own) => {
    await w.token(refreshFields(own))
    w.clock.advance(60_000)
    return {}
  }),
  refresh('a refresh token of two generations ago', async (w, own) => {
    const { body } = await w.token(refreshFields(own))
    await w.token(refreshFields({ ...own, ...body }))
    return {}
  }),
  {
    name: 'the newest refresh token after an old one was used',
    async run(w) {
      const own = await tokens(w)
      const { body } = await w.token(refreshFields(own))
      w.clock.advance(60_000)
      await w.token(refreshFields(own))
      return refusalOf(await w.token(refreshFields({ ...own, ...body })))
    },
    refused: tokenError('invalid_grant'),
  },
  {
    name: 'a code as a refresh token',
    async run(w) {
      const { client_id, code } = await authorizedCode(w)
      const fields = { grant_type: 'refresh_token', client_id, refresh_token: code }
      return refusalOf(await w.token(fields))
    },
    refused: tokenError('invalid_grant'),
  },
]

const REVOCATIONS: Attack[] = [
  {
    name: 'a revocation by another client',
    async run(w) {
      const { refresh_token } = await tokens(w)
      const client_id = await registerNative(w, OTHER)
      return refusalOf(await w.revoke({ token: refresh_token, client_id }))
    },
    refused: tokenError('unauthorized_client'),
  },
  {
    name: 'a revocation of the access token of another client',
    async run(w) {
      const { access_token } = await tokens(w)
      const client_id = await registerNative(w, OTHER)
      return refusalOf(await w.revoke({ token: access_token, client_id }))
    },
    refused: tokenError('unauthorized_client'),
  },
  {
    name: 'a revocation without a client',
    run: async (w) => refusalOf(await w.revoke({ token: (await tokens(w)).refresh_token })),
    refused: tokenError('invalid_client'),
  },
]

const poll = (w: OAuthWorld, device_code: string, client_id: string) =>
  w.token({ grant_type: DEVICE_GRANT, device_code, client_id })

async function device(w: OAuthWorld) {
  const client_id = await registerNative(w)
  const { body } = await w.startDevice({ client_id, resource: RESOURCE })
  return { client_id, ...body } as { client_id: string; device_code: string; user_code: string }
}

const DEVICES: Attack[] = [
  {
    name: 'an unknown device code',
    run: async (w) => refusalOf(await poll(w, 'unknown', await registerNative(w))),
    refused: tokenError('invalid_grant'),
  },
  {
    name: 'a device code of another client',
    async run(w) {
      const { device_code } = await device(w)
      return refusalOf(await poll(w, device_code, await registerNative(w, OTHER)))
    },
    refused: tokenError('invalid_grant'),
  },
  {
    name: 'the code for people as the device code',
    async run(w) {
      const { client_id, user_code } = await device(w)
      return refusalOf(await poll(w, user_code, client_id))
    },
    refused: tokenError('invalid_grant'),
  },
  {
    name: 'a device that polls without a pause',
    async run(w) {
      const { client_id, device_code } = await device(w)
      await poll(w, device_code, client_id)
      return refusalOf(await poll(w, device_code, client_id))
    },
    refused: tokenError('slow_down'),
  },
  {
    name: 'a device code that has expired',
    async run(w) {
      const { client_id, device_code } = await device(w)
      w.clock.advance(16 * 60_000)
      return refusalOf(await poll(w, device_code, client_id))
    },
    refused: tokenError('expired_token'),
  },
  {
    name: 'a sign-in of a device by an unknown client',
    run: async (w) => refusalOf(await w.startDevice({ client_id: 'unknown' })),
    refused: tokenError('invalid_client'),
  },
  {
    name: 'a code for people that nobody was given',
    run: async (w) => refusalOf(await w.browser.post('/device', { code: 'BBBB-BBBB' })),
    refused: { status: 400 },
  },
  {
    name: 'the eleventh guess of a code in a minute',
    async run(w) {
      const guess = () => w.browser.post('/device', { code: 'BBBB-BBBB' })
      for (let count = 0; count < 10; count++) await guess()
      return refusalOf(await guess())
    },
    refused: { status: 429 },
  },
  {
    name: 'a code for people that is typed on another site',
    async run(w) {
      const { user_code: code } = await device(w)
      return refusalOf(
        await w.browser.post('/device', { code }, { 'sec-fetch-site': 'cross-site' }),
      )
    },
    refused: { status: 403 },
  },
]

export const TOKEN_ATTACKS: Attack[] = [...CODES, ...REFRESHES, ...REVOCATIONS, ...DEVICES]
