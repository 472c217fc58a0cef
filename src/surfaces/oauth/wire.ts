import { Fault } from '../../kernel/fault.ts'
import type { TokenRequest } from '../authorization-service.ts'
import { fromClient } from '../body.ts'
import { json, type RequestContext, STATUS, setRetryAfter } from '../gateway.ts'

const MAX_BYTES = 32 * 1024

const refused = (error: string, message: string) => new Fault('invalid', message, { error })

async function readText(request: Request, type: RegExp): Promise<string> {
  if (!type.test(request.headers.get('content-type') ?? ''))
    throw refused('invalid_request', `The Content-Type must match ${type.source}`)
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge()
  const text = await fromClient(request, request.text())
  if (text.length > MAX_BYTES) throw tooLarge()
  return text
}

const tooLarge = () => refused('invalid_request', 'The body is larger than 32 KB')

/** Reads the parameters of a request. Empty ones count as absent, and none may be repeated. */
export async function readParameters(request: Request): Promise<URLSearchParams> {
  const text = await readText(request, /^application\/x-www-form-urlencoded\b/i)
  const parameters = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(text)) {
    if (parameters.has(name)) throw refused('invalid_request', `${name} occurs more than once`)
    if (value) parameters.set(name, value)
  }
  addClientOf(request, parameters)
  return parameters
}

/** Some clients send their id as a user name. No client has a secret, so it comes without one. */
function addClientOf({ headers }: Request, parameters: URLSearchParams): void {
  const basic = /^Basic ([\w+/=]+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (basic === undefined || parameters.has('client_id')) return
  const [name = '', secret] = Buffer.from(basic, 'base64').toString().split(':')
  if (secret) throw refused('invalid_client', 'Clients of this server have no secret')
  parameters.set('client_id', decodeURIComponent(name.replaceAll('+', ' ')))
}

export const toRequest = (parameters: URLSearchParams): TokenRequest =>
  Object.fromEntries(parameters)

export async function readMetadata(request: Request): Promise<unknown> {
  const text = await readText(request, /^application\/json\b/i)
  try {
    return JSON.parse(text)
  } catch {
    throw refused('invalid_client_metadata', 'The body is not valid JSON')
  }
}

/** An error as RFC 6749 describes it, section 5.2. */
export function oauthRefusal(fault: Fault, context: RequestContext): Response {
  setRetryAfter(fault, context)
  const { error } = fault.details
  const body = { error: error ?? errorFor(fault), error_description: fault.message }
  return json(body, STATUS[fault.code])
}

function errorFor({ code, details }: Fault): string {
  if (details.field === 'client_id') return 'invalid_client'
  if (code === 'internal') return 'server_error'
  return code === 'rate_limited' || code === 'unavailable'
    ? 'temporarily_unavailable'
    : 'invalid_request'
}

/** Clients in browsers may read these answers. No cookie counts here, so any origin may ask. */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
  'access-control-max-age': '86400',
} as const
