import { type Attack, authorizeWith, PAGE, refusalOf, sentBack } from './attack.ts'
import {
  answerConsent,
  authorizeFields,
  authorizePath,
  challengeOf,
  formValues,
  type OAuthWorld,
  registerNative,
} from './oauth-client.ts'

const HTTPS = 'https://app.example/callback'

/** A redirect address that differs from the registered one. */
const redirect = (name: string, redirect_uri: string, registered = HTTPS): Attack => ({
  name: `the redirect address ${name}`,
  run: (w) => authorizeWith(w, { redirect_uri }, { redirect_uris: [registered] }),
  refused: PAGE,
})

const LOOPBACK = 'http://127.0.0.1:5000/callback'

const REDIRECTS: Attack[] = [
  redirect('has a longer path', `${HTTPS}/evil`),
  redirect('has a shorter path', 'https://app.example/'),
  redirect('has a longer host', 'https://app.example.evil.example/callback'),
  redirect('is a subdomain', 'https://evil.app.example/callback'),
  redirect('has a user name', 'https://app.example@evil.example/callback'),
  redirect('has a fragment', `${HTTPS}#evil`),
  redirect('has another port', 'https://app.example:8443/callback'),
  redirect('has the default port', 'https://app.example:443/callback'),
  redirect('walks up its path', 'https://app.example/callback/../evil'),
  redirect('walks up its path, encoded', 'https://app.example/callback/%2e%2e/evil'),
  redirect('has another case in its path', 'https://app.example/Callback'),
  redirect('has another case in its host', 'https://APP.example/callback'),
  redirect('has an encoded letter', 'https://app.example/c%61llback'),
  redirect('has a query', `${HTTPS}?next=evil`),
  redirect('has a trailing slash', `${HTTPS}/`),
  redirect('has a trailing dot after its host', 'https://app.example./callback'),
  redirect('has a backslash', 'https://app.example\\@evil.example/callback'),
  redirect('is http', 'http://app.example/callback'),
  redirect('is relative', '/callback'),
  redirect('runs a script', 'javascript:alert(1)'),
  redirect('is a data URL', 'data:text/html,hello'),
  redirect('has a line break', `${HTTPS}\r\nset-cookie: a=b`),
  redirect('is on the same computer, with another path', 'http://127.0.0.1:5000/evil', LOOPBACK),
  redirect('has localhost for 127.0.0.1', 'http://localhost:5000/callback', LOOPBACK),
  redirect('begins like the same computer', 'http://127.0.0.1.evil.example/callback', LOOPBACK),
  redirect(
    'has the port of 127.0.0.1 as a password',
    'http://127.0.0.1:5000@evil.example/callback',
    LOOPBACK,
  ),
  redirect(
    'walks up the path of the same computer',
    'http://127.0.0.1:6000/callback/../evil',
    LOOPBACK,
  ),
  redirect('is empty', ''),
]

const VERIFIER = 'p'.repeat(43)

const parameters = (
  name: string,
  overrides: Record<string, string | undefined>,
  error: string,
): Attack => ({ name, run: (w) => authorizeWith(w, overrides), refused: sentBack(error) })

const REQUESTS: Attack[] = [
  parameters(
    'no PKCE',
    { code_challenge: undefined, code_challenge_method: undefined },
    'invalid_request',
  ),
  parameters(
    'PKCE with the method plain',
    { code_challenge: VERIFIER, code_challenge_method: 'plain' },
    'invalid_request',
  ),
  parameters(
    'PKCE without a method, which means plain',
    { code_challenge_method: undefined },
    'invalid_request',
  ),
  parameters(
    'PKCE with a method in lower case',
    { code_challenge_method: 's256' },
    'invalid_request',
  ),
  parameters('a short code_challenge', { code_challenge: 'abc' }, 'invalid_request'),
  parameters('the implicit flow', { response_type: 'token' }, 'unsupported_response_type'),
  parameters('the hybrid flow', { response_type: 'code id_token' }, 'unsupported_response_type'),
  parameters('an answer in the fragment', { response_mode: 'fragment' }, 'invalid_request'),
  parameters(
    'the resource of another server',
    { resource: 'https://evil.example/mcp' },
    'invalid_target',
  ),
  parameters(
    'a resource with a longer host',
    { resource: 'http://localhost.evil.example/mcp' },
    'invalid_target',
  ),
  parameters(
    'a resource with a fragment',
    { resource: 'http://localhost/mcp#x' },
    'invalid_target',
  ),
  parameters(
    'a resource with a user name',
    { resource: 'http://evil@localhost/mcp' },
    'invalid_target',
  ),
  parameters(
    'a resource below that of this server',
    { resource: 'http://localhost/mcp/evil' },
    'invalid_target',
  ),
  parameters('only scopes that do not exist', { scope: 'admin root' }, 'invalid_scope'),
  parameters('a very long state', { state: 'x'.repeat(5000) }, 'invalid_request'),
  {
    name: 'a parameter that occurs twice',
    async run(w) {
      const path = authorizePath(authorizeFields(await registerNative(w)))
      return refusalOf(await w.browser.get(`${path}&code_challenge=${challengeOf('other')}`))
    },
    refused: sentBack('invalid_request'),
  },
  {
    name: 'two redirect addresses, the second of which is registered',
    async run(w) {
      const fields = authorizeFields(await registerNative(w))
      const path = authorizePath({ ...fields, redirect_uri: 'https://evil.example/' })
      const own = encodeURIComponent(fields.redirect_uri!)
      return refusalOf(await w.browser.get(`${path}&redirect_uri=${own}`))
    },
    refused: PAGE,
  },
]

const forged = (name: string, change: (client_id: string) => string): Attack => ({
  name,
  run: async (w) => authorizeWith(w, { client_id: change(await registerNative(w)) }),
  refused: PAGE,
})

const CLIENTS: Attack[] = [
  forged('an unknown client', () => 'unknown'),
  forged('a registered client with another seal', (id) => `${id.slice(0, -3)}AAA`),
  forged('a registered client with another redirect address in its id', (id) => {
    const payload = Buffer.from(JSON.stringify(['Lantern', ['https://evil.example/']]))
    return `client_${payload.toString('base64url')}.${id.split('.')[1]}`
  }),
  forged('no client', () => ''),
  forged('the command line, which redirects nowhere', () => 'cork'),
]

/** Loads the consent page and submits it in another way than its person would. */
const submitted = (
  name: string,
  submit: (w: OAuthWorld, text: string) => Promise<{ status: number; headers: Headers }>,
  status: number,
): Attack => ({
  name,
  async run(w) {
    const path = authorizePath(authorizeFields(await registerNative(w)))
    return refusalOf(await submit(w, (await w.browser.get(path)).text))
  },
  refused: { status },
})

const CONSENT: Attack[] = [
  submitted(
    'a consent form on another site',
    (w, text) => answerConsent(w.browser, text, {}, { 'sec-fetch-site': 'cross-site' }),
    403,
  ),
  submitted(
    'a consent form on a neighbouring host',
    (w, text) => answerConsent(w.browser, text, {}, { 'sec-fetch-site': 'same-site' }),
    403,
  ),
  submitted(
    'a consent page of somebody else',
    async (w, text) => answerConsent(await w.signedIn('cleo'), text),
    400,
  ),
  submitted(
    'a consent form with a changed request',
    (w, text) =>
      answerConsent(w.browser, text, {
        request: `x${Object.fromEntries(formValues(text)).request}`,
      }),
    400,
  ),
  submitted(
    'a consent form without a request',
    (w, text) => answerConsent(w.browser, text, { request: '' }),
    400,
  ),
  submitted(
    'a consent page from yesterday',
    (w, text) => {
      w.clock.advance(31 * 60_000)
      return answerConsent(w.browser, text)
    },
    400,
  ),
  submitted(
    'a consent form without a session',
    (w, text) => {
      w.browser.cookies.clear()
      return answerConsent(w.browser, text)
    },
    403,
  ),
  submitted(
    'a consent for boards of another team',
    (w, text) => answerConsent(w.browser, text, { who: 'me', boards: 'some', board: ['999999'] }),
    400,
  ),
  submitted(
    'a consent for an agent of somebody else',
    (w, text) => answerConsent(w.browser, text, { who: w.bot.caller.agent_id! }),
    400,
  ),
  submitted(
    'a consent for an agent with the name of a person',
    (w, text) => answerConsent(w.browser, text, { who: 'agent', name: 'Cleo' }),
    409,
  ),
  submitted(
    'a consent for a duration of ten years',
    (w, text) => answerConsent(w.browser, text, { who: 'me', days: '3650' }),
    400,
  ),
  {
    name: 'a consent request with the API key of a person',
    async run(w) {
      const path = authorizePath(authorizeFields(await registerNative(w)))
      const answer = await w.get(path, { authorization: `Bearer ${w.ada.secret}` })
      return {
        status: answer.status,
        redirected: answer.headers.get('location')?.startsWith('/sign-in'),
      }
    },
    refused: { status: 303, redirected: true },
  },
]

export const AUTHORIZE_ATTACKS: Attack[] = [...REDIRECTS, ...REQUESTS, ...CLIENTS, ...CONSENT]
