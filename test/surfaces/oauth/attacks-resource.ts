import { SignJWT } from 'jose'
import { type Attack, INVALID_TOKEN, refusalOf } from './attack.ts'
import { type OAuthWorld, type Tokens, tokens } from './oauth-client.ts'

/** A request of a protected resource with a changed token. */
const forged = (
  name: string,
  change: (own: Tokens, w: OAuthWorld) => string | Promise<string>,
): Attack => ({
  name,
  run: async (w) => refusalOf(await w.mcp(await change(await tokens(w), w))),
  refused: INVALID_TOKEN,
})

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const signWith = (claims: Record<string, unknown>, secret: string, header: object = {}) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...header })
    .sign(new TextEncoder().encode(secret))

const TOKENS: Attack[] = [
  forged('a JWT with the algorithm none', ({ access_token }) => {
    const [, payload] = access_token.split('.')
    return `${part({ alg: 'none', typ: 'JWT' })}.${payload}.x`
  }),
  forged('a JWT with the algorithm none and no signature', ({ access_token }) => {
    const [, payload] = access_token.split('.')
    return `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`
  }),
  forged('a JWT that was signed with another key', ({ access_token }) =>
    signWith(claimsOf(access_token), 'another key that is long enough for it'),
  ),
  forged('a JWT that names another key', ({ access_token }) =>
    signWith(claimsOf(access_token), 'another key that is long enough for it', {
      kid: '../../key',
    }),
  ),
  forged('a JWT with more scopes in its claims', ({ access_token }) => {
    const [header, , signature] = access_token.split('.')
    return `${header}.${part({ ...claimsOf(access_token), scope: 'teams:manage' })}.${signature}`
  }),
  forged('a JWT of this server with an unknown id', ({ access_token }, w) =>
    w.key.sign({ ...claimsOf(access_token), jti: crypto.randomUUID() }),
  ),
  forged('a refresh token as an access token', ({ refresh_token }) => refresh_token),
  forged('the id of an access token', ({ access_token }) => claimsOf(access_token).jti),
  forged('an access token that has expired', ({ access_token }, w) => {
    w.clock.advance(61 * 60_000)
    return access_token
  }),
  forged('an access token after its grant was revoked', async ({ access_token }, w) => {
    const { apps } = await w.ada['grants.list']({})
    await w.ada['grants.revoke']({ grant_id: apps[0]!.grant_id })
    return access_token
  }),
  forged('an access token after the client revoked its refresh token', async (own, w) => {
    await w.revoke({ token: own.refresh_token, client_id: own.client_id })
    return own.access_token
  }),
]

const RESOURCES: Attack[] = [
  {
    name: 'an access token for /mcp at the REST API',
    run: async (w) => refusalOf(await w.rest((await tokens(w)).access_token)),
    refused: INVALID_TOKEN,
  },
  {
    name: 'an access token for /mcp at the live events',
    run: async (w) => refusalOf(await w.rest((await tokens(w)).access_token, '/api/v1/events')),
    refused: INVALID_TOKEN,
  },
  {
    name: 'an access token for /mcp at an address that begins with /mcp',
    async run(w) {
      const { access_token } = await tokens(w)
      return refusalOf(await w.mcp(access_token, '/mcp/../api/v1/preview'))
    },
    refused: INVALID_TOKEN,
  },
  {
    name: 'an access token for /mcp/readonly at /mcp',
    async run(w) {
      const { access_token } = await tokens(w, {}, { resource: 'http://localhost/mcp/readonly' })
      return refusalOf(await w.mcp(access_token))
    },
    refused: INVALID_TOKEN,
  },
  {
    name: 'an access token for the former address of the server',
    async run(w) {
      const { access_token } = await tokens(w)
      w.config.url = 'http://board.example'
      return refusalOf(await w.mcp(access_token))
    },
    refused: INVALID_TOKEN,
  },
  {
    name: 'an access token in the query',
    async run(w) {
      const { access_token } = await tokens(w)
      return refusalOf(await w.mcp(undefined, `/mcp?access_token=${access_token}`))
    },
    refused: { status: 401 },
  },
  {
    name: 'an access token as a cookie',
    async run(w) {
      const { access_token } = await tokens(w)
      return refusalOf(await w.get('/api/v1/projects', { cookie: `cork_session=${access_token}` }))
    },
    refused: { status: 401 },
  },
  {
    name: 'an access token at the page that allows apps',
    async run(w) {
      const { access_token } = await tokens(w, {}, { resource: 'http://localhost' })
      const answer = await w.get('/device', { authorization: `Bearer ${access_token}` })
      return { status: answer.status, redirected: true }
    },
    refused: { status: 303, redirected: true },
  },
]

export const RESOURCE_ATTACKS: Attack[] = [...TOKENS, ...RESOURCES]
