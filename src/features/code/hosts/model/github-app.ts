import { createPrivateKey, sign } from 'node:crypto'
import { type Static, Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Server } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import type { CallApi } from '../../../../kernel/services.ts'
import { HostError } from './clients/error.ts'
import { HostHttp } from './clients/http.ts'
import { apiOf, GITHUB_EVENTS, GITHUB_HEADERS } from './clients/index.ts'

/** What a GitHub App signs in with. Stored sealed, in place of an access token. */
const Credentials = t.Object({ id: t.Integer(), pem: t.String(), webhook_secret: t.String() })
type Credentials = Static<typeof Credentials>

/** Every permission that the app asks for. The page that creates it explains each of them. */
export const APP_PERMISSIONS = {
  actions: 'read',
  checks: 'read',
  contents: 'read',
  deployments: 'read',
  issues: 'write',
  metadata: 'read',
  pull_requests: 'read',
  statuses: 'read',
} as const

const SETUP = 'github app'
const SETUP_MS = 60 * 60_000

/** The setup of an app, which GitHub passes back unchanged. Only this server can read it. */
const Setup = t.Object({
  team_id: t.Integer(),
  person_id: t.Integer(),
  url: t.String(),
  organization: t.Union([t.String(), t.Null()]),
  receiver_id: t.String(),
  until: t.Integer(),
})
type Setup = Static<typeof Setup>

type Encryption = Pick<Server, 'encrypt' | 'decrypt'>

export const sealSetup = (
  server: Encryption,
  setup: Omit<Setup, 'receiver_id' | 'until'>,
  now: Date,
): string => {
  const full = { ...setup, receiver_id: crypto.randomUUID(), until: now.getTime() + SETUP_MS }
  return server.encrypt(SETUP, JSON.stringify(full))
}

/** Only the person who began a setup finishes it, so that nobody adds their app for another. */
export function openSetup(server: Encryption, sealed: string, now: Date, person_id: number): Setup {
  const setup = parseSetup(server, sealed)
  const isOwn = setup?.person_id === person_id
  if (setup && isOwn && setup.until > now.getTime()) return setup
  throw fault.invalid(
    'setup',
    'conflict',
    isOwn ? 'The setup of the app has expired' : 'Somebody else began this setup',
    undefined,
    'Begin again: Settings, Team, Code hosts, Create a GitHub App',
  )
}

function parseSetup(server: Encryption, sealed: string): Setup | undefined {
  try {
    const setup: unknown = JSON.parse(server.decrypt(SETUP, sealed))
    return Value.Check(Setup, setup) ? setup : undefined
  } catch {
    return undefined
  }
}

/** GitHub refuses webhooks that it cannot reach; the sweep works without them. */
const isReachable = (url: string) => !/^https?:\/\/(localhost|127\.|\[::1\])/.test(url)

/** What the browser of the person posts to GitHub, and to which address. */
export function appRequest(server: Pick<Server, 'url'>, sealed: string, setup: Setup) {
  const { url, organization, receiver_id, team_id } = setup
  const owner = organization === null ? '' : `/organizations/${encodeURIComponent(organization)}`
  const webhook = isReachable(server.url) ? `${server.url}/hooks/github/${receiver_id}` : null
  const manifest = {
    // GitHub allows 34 characters, and the person can change the name there.
    name: `Corkboard ${new URL(server.url).hostname}`.slice(0, 34),
    url: server.url,
    ...(webhook && { hook_attributes: { url: webhook, active: true } }),
    redirect_url: `${server.url}/settings/team/${team_id}`,
    public: false,
    default_permissions: APP_PERMISSIONS,
    default_events: GITHUB_EVENTS,
  }
  const action = `${url}${owner}/settings/apps/new?state=${encodeURIComponent(sealed)}`
  return { action, manifest, webhook, permissions: APP_PERMISSIONS }
}

const Conversion = t.Object({
  id: t.Integer(),
  slug: t.String(),
  html_url: t.String(),
  pem: t.String(),
  webhook_secret: t.Union([t.String(), t.Null()]),
})

/** Exchanges the code, which works once and for an hour, for the credentials of the new app. */
export async function convertManifest(callApi: CallApi, url: string, code: string) {
  const http = httpFor(callApi, url, {})
  const path = `/app-manifests/${encodeURIComponent(code)}/conversions`
  const found = await http.optional(path, Conversion, { method: 'POST' })
  if (!found)
    throw fault.invalid(
      'code',
      'not_found',
      'GitHub does not know this code',
      undefined,
      'A code works once and for one hour. Create the app again',
    )
  const { id, slug, html_url, pem, webhook_secret } = found
  const credentials: Credentials = { id, pem, webhook_secret: webhook_secret ?? '' }
  const app_url = /^https?:\/\//.test(html_url) ? html_url : `${url}/apps/${slug}`
  return { login: `${slug}[bot]`, app_url, secret: JSON.stringify(credentials) }
}

export const parseCredentials = (secret: string): Credentials => {
  const credentials: unknown = JSON.parse(secret)
  if (Value.Check(Credentials, credentials)) return credentials
  throw new Error('The stored credentials of a GitHub App are damaged')
}

const httpFor = (callApi: CallApi, url: string, headers: Record<string, string>) =>
  new HostHttp({ callApi, api: apiOf('github', url), headers: { ...GITHUB_HEADERS, ...headers } })

/** GitHub accepts at most 10 minutes. The clock of this server may be ahead. */
const JWT_BEFORE_S = 60
const JWT_AFTER_S = 9 * 60

/** Proves, for a few minutes, that the bearer has the key of the app. */
export function appJwt({ id, pem }: Pick<Credentials, 'id' | 'pem'>, now: number): string {
  const seconds = Math.floor(now / 1000)
  const claims = { iat: seconds - JWT_BEFORE_S, exp: seconds + JWT_AFTER_S, iss: String(id) }
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(text), createPrivateKey(pem))
  return `${text}.${signature.toString('base64url')}`
}

const Installation = t.Object({ id: t.Integer() })
const InstallationToken = t.Object({
  token: t.String(),
  expires_at: t.String(),
  permissions: t.Optional(t.Record(t.String(), t.String())),
})
type InstallationToken = Static<typeof InstallationToken>

/** Tokens are renewed this long before they expire, so that none expires during a pass. */
const RENEW_MS = 10 * 60_000
const MAX_TOKENS = 1000
const tokens = new Map<string, InstallationToken>()

interface App {
  url: string
  app_url: string
  credentials: Credentials
}

/** A token for one repository, or for any that the app is installed on. */
export async function installationToken(
  callApi: CallApi,
  app: App,
  repository: string | undefined,
  now = Date.now(),
): Promise<InstallationToken & { forget(): void }> {
  const { url, credentials } = app
  const key = `${url} ${Bun.hash(credentials.pem)} ${repository ?? ''}`
  const forget = () => void tokens.delete(key)
  const known = tokens.get(key)
  if (known && Date.parse(known.expires_at) - now > RENEW_MS) return { ...known, forget }
  const jwt = appJwt(credentials, now)
  const http = httpFor(callApi, url, { authorization: `Bearer ${jwt}` })
  const token = await requestToken(http, app, repository)
  if (tokens.size >= MAX_TOKENS) tokens.clear()
  tokens.set(key, token)
  return { ...token, forget }
}

async function requestToken(http: HostHttp, app: App, repository: string | undefined) {
  try {
    const id = await findInstallation(http, repository)
    if (id === undefined) throw notInstalled(app, repository)
    const name = repository?.split('/').at(-1)
    const call = { method: 'POST', body: name ? { repositories: [name] } : {} } as const
    return await http.call(`/app/installations/${id}/access_tokens`, InstallationToken, call)
  } catch (error) {
    if (!(error instanceof HostError && error.kind === 'unauthorized')) throw error
    throw new HostError(
      'unauthorized',
      'GitHub does not accept the key of the app. If the app still exists and the clock of this ' +
        'server is right, delete the code host and create the app again',
    )
  }
}

async function findInstallation(http: HostHttp, repository: string | undefined) {
  if (repository === undefined)
    return (await http.call('/app/installations?per_page=1', t.Array(Installation)))[0]?.id
  const path = `/repos/${repository.split('/').map(encodeURIComponent).join('/')}/installation`
  return (await http.optional(path, Installation))?.id
}

const notInstalled = ({ app_url }: App, repository: string | undefined) =>
  new HostError(
    'missing',
    `The app is not installed on ${repository ?? 'any repository'}. ` +
      `Install it: ${app_url}/installations/new`,
  )
