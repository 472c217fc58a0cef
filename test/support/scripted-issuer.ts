import { exportJWK, generateKeyPair, SignJWT } from 'jose'

type Claims = Record<string, unknown>

/** What a test changes about the answers of the issuer. */
export interface Behaviour {
  /** Claims that replace the right ones; undefined removes one. */
  claims: Claims
  /** Parameters of the redirect back, which replace the right ones; undefined removes one. */
  answer: Record<string, string | undefined>
  discovery: Claims
  /** Replaces the response of the token endpoint. */
  token?: () => Response | Promise<Response>
  /** Signs the ID token with a key that the issuer does not publish. */
  isForged: boolean
  userinfo?: Claims
  /** Seconds by which the clock of the issuer differs. */
  clockOffset: number
}

const normal = (): Behaviour => ({
  ...{ claims: {}, answer: {}, discovery: {}, isForged: false, clockOffset: 0 },
})

/** An OpenID Connect issuer that breaks the rules on request. It signs in everybody as Zoe. */
export async function startScriptedIssuer() {
  const own = await generateKeyPair('RS256', { extractable: true })
  const foreign = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
  const nonces = new Map<string, string>()
  const state = { behaviour: normal(), authorizations: 0 }

  const sign = (claims: Claims) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .sign((state.behaviour.isForged ? foreign : own).privateKey)

  const idToken = (code: string) => {
    const seconds = Math.floor(Date.now() / 1000) + state.behaviour.clockOffset
    return sign({
      ...{ iss: url, sub: 'zoe-1', aud: 'board', iat: seconds, exp: seconds + 300 },
      ...{ nonce: nonces.get(code), email: 'zoe@example.com', email_verified: true, name: 'Zoe' },
      ...state.behaviour.claims,
    })
  }

  const authorize = (query: URLSearchParams) => {
    state.authorizations++
    const code = `code-${state.authorizations}`
    nonces.set(code, query.get('nonce')!)
    const answer = { code, state: query.get('state')!, iss: url, ...state.behaviour.answer }
    const location = new URL(query.get('redirect_uri')!)
    for (const [name, value] of Object.entries(answer))
      if (value !== undefined) location.searchParams.set(name, value)
    return new Response(null, { status: 303, headers: { location: location.href } })
  }

  const token = async (request: Request) => {
    if (state.behaviour.token) return await state.behaviour.token()
    const code = new URLSearchParams(await request.text()).get('code')!
    if (!nonces.has(code)) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    const id_token = await idToken(code)
    nonces.delete(code)
    return Response.json({ access_token: 'secret-access', token_type: 'Bearer', id_token })
  }

  const discovery = () => ({
    ...{ issuer: url, authorization_endpoint: `${url}/authorize`, jwks_uri: `${url}/jwks` },
    ...{ token_endpoint: `${url}/token`, userinfo_endpoint: `${url}/userinfo` },
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
    ...state.behaviour.discovery,
  })

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/.well-known/openid-configuration': () => Response.json(discovery()),
      '/jwks': () => Response.json({ keys: [key] }),
      '/authorize': (request) => authorize(new URL(request.url).searchParams),
      '/token': { POST: token },
      '/userinfo': () => Response.json(state.behaviour.userinfo ?? { sub: 'zoe-1' }),
    },
    fetch: () => new Response('not found', { status: 404 }),
  })
  const url: string = `http://127.0.0.1:${server.port}`
  return {
    url,
    sign,
    behave(changes: Partial<Behaviour>) {
      state.behaviour = { ...normal(), ...changes }
    },
    stop: () => server.stop(true),
  }
}

export type ScriptedIssuer = Awaited<ReturnType<typeof startScriptedIssuer>>
