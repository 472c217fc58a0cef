import {
  authorizeFields,
  authorizePath,
  type Fields,
  type OAuthWorld,
  REDIRECT,
  registerNative,
} from './oauth-client.ts'

/** How the server answered an attack, in the terms in which it refuses. */
export interface Refusal {
  status: number
  /** The OAuth error in the body, in the challenge or in the address that the browser is sent to. */
  error?: string
  /** The browser was sent to an address that the attacker chose. */
  redirected?: boolean
}

export interface Attack {
  name: string
  run(w: OAuthWorld): Promise<Refusal>
  refused: Refusal
  env?: Fields
}

interface Answer {
  status: number
  headers: Headers
  body?: { error?: string }
  text?: string
}

/** What an answer says about a refusal. A redirect to the registered address carries the error. */
export function refusalOf({ status, headers, body }: Answer): Refusal {
  const location = headers.get('location')
  const inLocation = location && URL.parse(location)?.searchParams.get('error')
  const inChallenge = /error="(\w+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]
  const inBody = /^[a-z_]+$/.test(String(body?.error)) ? body?.error : undefined
  const error = inBody ?? inLocation ?? inChallenge
  const isForeign = location !== null && !location.startsWith(`${REDIRECT}?`)
  return { status, ...(error && { error }), ...(isForeign && { redirected: true }) }
}

/** Opens the consent page with changed parameters. Undefined removes one. */
export async function authorizeWith(
  w: OAuthWorld,
  overrides: Record<string, string | undefined>,
  metadata: object = {},
) {
  const client_id = overrides.client_id ?? (await registerNative(w, metadata))
  const fields = Object.entries({ ...authorizeFields(client_id), ...overrides })
  const given = fields.filter((entry): entry is [string, string] => entry[1] !== undefined)
  return refusalOf(await w.browser.get(authorizePath(Object.fromEntries(given))))
}

/** A page that explains the error, and no redirect. */
export const PAGE: Refusal = { status: 400 }
/** The registered address receives the error. */
export const sentBack = (error: string): Refusal => ({ status: 303, error })
export const tokenError = (error: string): Refusal => ({ status: 400, error })
export const INVALID_TOKEN: Refusal = { status: 401, error: 'invalid_token' }
