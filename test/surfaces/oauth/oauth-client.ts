import { eq } from 'drizzle-orm'
import { people } from '../../../src/features/identity/people/model/index.ts'
import { type BrowserClient, browserClient } from '../../support/browser-client.ts'
import { type World, world } from '../../support/world.ts'

export const PASSWORD = 'correct horse battery'
export const RESOURCE = 'http://localhost/mcp'
export const REDIRECT = 'http://127.0.0.1:5000/callback'
export const VERIFIER = 'v'.repeat(43)

export type Fields = Record<string, string>

/** The names of people who can sign in. */
type Person = 'ada' | 'cleo' | 'gus' | 'otto'

export const challengeOf = (verifier: string) =>
  Bun.CryptoHasher.hash('sha256', verifier, 'base64url')

/** A world in which people have passwords, and Ada is signed in in a browser. */
export async function oauthWorld(env: Record<string, string> = {}) {
  const w = await world({ env })
  const password_hash = await Bun.password.hash(PASSWORD, {
    algorithm: 'argon2id',
    memoryCost: 8,
    timeCost: 1,
  })
  await w.store.write((tx) =>
    tx.update(people).set({ password_hash }).where(eq(people.locale, 'en')),
  )
  const signedIn = async (person: Person) => {
    const browser = browserClient(w.app)
    const email = `${person}@example.com`
    await browser.post('/sign-in', { email, password: PASSWORD })
    return browser
  }
  return { ...w, signedIn, browser: await signedIn('ada'), ...endpoints(w.app) }
}

export type OAuthWorld = Awaited<ReturnType<typeof oauthWorld>>

/** The endpoints that a client calls. */
function endpoints(app: World['app']) {
  const send = async (path: string, init: RequestInit) => {
    const response = await app.handle(new Request(`http://localhost${path}`, init))
    const text = await response.text()
    const body = text.startsWith('{') ? JSON.parse(text) : text
    return { status: response.status, headers: response.headers, body }
  }
  const form = (path: string, fields: Fields | [string, string][], headers: Fields = {}) =>
    send(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  return {
    send,
    get: (path: string, headers: Fields = {}) => send(path, { headers }),
    token: (fields: Fields | [string, string][], headers: Fields = {}) =>
      form('/oauth/token', fields, headers),
    revoke: (fields: Fields) => form('/oauth/revoke', fields),
    startDevice: (fields: Fields) => form('/oauth/device_authorization', fields),
    register: (metadata: unknown) =>
      send('/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(metadata),
      }),
    /** A request of the MCP client with a token. */
    mcp: (token: string | undefined, path = '/mcp', call: object = { method: 'tools/list' }) =>
      send(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(token && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
      }),
    rest: (token: string, path = '/api/v1/projects') =>
      send(path, { headers: { authorization: `Bearer ${token}` } }),
  }
}

/** Registers a client that runs on the computer of its person. */
export async function registerNative({ register }: OAuthWorld, metadata: object = {}) {
  const { body } = await register({
    client_name: 'Lantern',
    redirect_uris: [REDIRECT],
    ...metadata,
  })
  return body.client_id as string
}

export const authorizeFields = (client_id: string, overrides: Fields = {}): Fields => ({
  ...{ response_type: 'code', client_id, redirect_uri: REDIRECT, state: 'xyz' },
  ...{ code_challenge: challengeOf(VERIFIER), code_challenge_method: 'S256', resource: RESOURCE },
  ...overrides,
})

export const authorizePath = (fields: Fields) => `/oauth/authorize?${new URLSearchParams(fields)}`

/** The values that a page's form has at first, as a browser would send them. */
export function formValues(text: string): [string, string][] {
  const values: [string, string][] = []
  for (const [tag] of text.matchAll(/<input[^>]*>/g)) {
    const { name, value = '', type } = attributesOf(tag)
    const isChoice = type === 'radio' || type === 'checkbox'
    if (name && (!isChoice || /\schecked/.test(tag))) values.push([name, value])
  }
  for (const [, name = '', options = ''] of text.matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  ))
    values.push([name, /<option value="([^"]*)" selected/.exec(options)?.[1] ?? ''])
  return values
}

const attributesOf = (tag: string): Partial<Record<string, string>> =>
  Object.fromEntries(
    [...tag.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, unescaped(value!)]),
  )

const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** Submits the consent page with other choices than it has at first. */
export async function consent(
  browser: BrowserClient,
  path: string,
  choices: Record<string, string | string[]> = {},
) {
  const page = await browser.get(path)
  return answerConsent(browser, page.text, choices)
}

export function answerConsent(
  browser: BrowserClient,
  text: string,
  choices: Record<string, string | string[]> = {},
  headers: Fields = {},
) {
  const values = formValues(text).filter(([name]) => !(name in choices))
  for (const [name, value] of Object.entries(choices))
    for (const one of [value].flat()) values.push([name, one])
  if (!('answer' in choices)) values.push(['answer', 'allow'])
  return browser.post('/oauth/consent', values, headers)
}

export const codeIn = (response: { headers: Headers }) =>
  new URL(response.headers.get('location')!).searchParams.get('code')!

/** Goes through the flow of a client until its person has allowed it. */
export async function authorizedCode(
  w: OAuthWorld,
  choices: Record<string, string | string[]> = {},
  overrides: Fields = {},
  browser = w.browser,
) {
  const client_id = overrides.client_id ?? (await registerNative(w))
  const fields = authorizeFields(client_id, overrides)
  const answer = await consent(browser, authorizePath(fields), { who: 'me', ...choices })
  return { client_id, code: codeIn(answer), location: answer.headers.get('location')! }
}

export const codeFields = (client_id: string, code: string): Fields => ({
  ...{ grant_type: 'authorization_code', client_id, code, redirect_uri: REDIRECT },
  ...{ code_verifier: VERIFIER, resource: RESOURCE },
})

export interface Tokens {
  client_id: string
  access_token: string
  refresh_token: string
  scope: string
}

/** Goes through the whole flow of a client. */
export async function tokens(
  w: OAuthWorld,
  choices: Record<string, string | string[]> = {},
  overrides: Fields = {},
  browser = w.browser,
): Promise<Tokens> {
  const { client_id, code } = await authorizedCode(w, choices, overrides, browser)
  const resource = overrides.resource ?? RESOURCE
  const { body } = await w.token({ ...codeFields(client_id, code), resource })
  return { client_id, ...body }
}

export const refreshFields = ({ client_id, refresh_token }: Tokens): Fields => ({
  ...{ grant_type: 'refresh_token', client_id, refresh_token },
})
