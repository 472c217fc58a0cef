import { CommandError } from './command.ts'
import type { CommandIO } from './io.ts'

/** The id by which servers know this program. */
const CLIENT_ID = 'cork'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** An access token with what it takes to renew it. */
export interface OAuthLogin {
  token: string
  refresh_token: string
  /** When the token expires, in milliseconds. */
  expires_at: number
}

type Fields = Record<string, string>
type Body = Record<string, unknown>

async function post(io: CommandIO, address: string, fields: Fields) {
  const body = new URLSearchParams({ client_id: CLIENT_ID, ...fields })
  const response = await io.fetch(
    new Request(address, { method: 'POST', body, redirect: 'manual' }),
  )
  const text = await response.text()
  return { status: response.status, body: parse(text) }
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/**
 * Signs in with the browser of a person, which may run on another machine (RFC 8628). Undefined if
 * the server cannot do that.
 */
export async function loginWithBrowser(
  url: string,
  io: CommandIO,
): Promise<OAuthLogin | undefined> {
  const resource = await resourceOf(url, io)
  if (resource === undefined) return undefined
  const started = await post(io, `${url}/oauth/device_authorization`, { resource })
  if (started.status !== 200) throw failed(url, started.body)
  const { device_code, user_code, verification_uri_complete, interval, expires_in } = started.body
  io.err(`Open this address and check that it shows the code ${user_code}:\n`)
  io.err(`  ${verification_uri_complete}\n`)
  io.err('Waiting for you to allow it …')
  await io.browse(String(verification_uri_complete))
  return poll(url, io, {
    device_code: String(device_code),
    interval: Number(interval) || 5,
    seconds: Number(expires_in) || 900,
  })
}

/** The address that tokens of a server are for. Undefined if it issues none. */
async function resourceOf(url: string, io: CommandIO): Promise<string | undefined> {
  const address = `${url}/.well-known/oauth-protected-resource`
  const response = await io.fetch(new Request(address, { redirect: 'manual' }))
  const { resource } = parse(await response.text())
  return response.ok && typeof resource === 'string' ? resource : undefined
}

async function poll(
  url: string,
  io: CommandIO,
  { device_code, interval, seconds }: { device_code: string; interval: number; seconds: number },
): Promise<OAuthLogin> {
  let pause = interval
  for (let waited = 0; waited < seconds; waited += pause) {
    await io.sleep(pause * 1000)
    const fields = { grant_type: DEVICE_GRANT, device_code }
    const { status, body } = await post(io, `${url}/oauth/token`, fields)
    if (status === 200) return toLogin(body)
    if (body.error === 'slow_down') pause += 5
    else if (body.error !== 'authorization_pending' && status !== 429) throw failed(url, body)
  }
  throw new CommandError('Nobody allowed it in time. Start again with "cork login"')
}

const failed = (url: string, { error, error_description }: Body) =>
  new CommandError(
    error === 'access_denied'
      ? 'The access was refused in the browser. Nothing was changed'
      : `${url} refused the sign-in: ${error_description ?? error ?? 'no reason given'}. Sign in with a key instead: "cork login ${url} --token -"`,
  )

const toLogin = ({ access_token, refresh_token, expires_in }: Body): OAuthLogin => ({
  token: String(access_token),
  refresh_token: String(refresh_token),
  expires_at: Date.now() + Number(expires_in) * 1000,
})

/** Tokens are renewed this long before they expire. */
const MARGIN_MS = 60_000

export const isExpiring = ({ expires_at }: Pick<OAuthLogin, 'expires_at'>): boolean =>
  expires_at - Date.now() < MARGIN_MS

/** Renews a login. Undefined if it was revoked or has expired. */
export async function refreshLogin(
  url: string,
  { refresh_token }: Pick<OAuthLogin, 'refresh_token'>,
  io: CommandIO,
): Promise<OAuthLogin | undefined> {
  const fields = { grant_type: 'refresh_token', refresh_token }
  const { status, body } = await post(io, `${url}/oauth/token`, fields)
  if (status === 200) return toLogin(body)
  // Only the server itself can say that the login has ended. A proxy or a busy server cannot.
  if (status === 400) return undefined
  throw new CommandError(`${url} could not renew your sign-in (status ${status}). Try again later`)
}

/** Revokes a login on its server. Returns whether the server did it. */
export async function revokeLogin(url: string, refresh_token: string, io: CommandIO) {
  try {
    return (await post(io, `${url}/oauth/revoke`, { token: refresh_token })).status === 200
  } catch {
    return false
  }
}
