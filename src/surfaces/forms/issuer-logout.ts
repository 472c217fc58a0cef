import { type Gateway, type IncomingRequest, json, STATUS } from '../gateway.ts'
import { readForm } from './wire.ts'

/** Ends the sessions that a logout token names. */
export type EndSessions = (number: number, token: string, address: string) => Promise<void>

/**
 * The route that issuers call when a person has signed out there (OpenID Connect Back-Channel
 * Logout 1.0). It takes no session, and only a token that the issuer has signed.
 */
export const backchannelLogout =
  (gateway: Gateway, endSessions: EndSessions) => (incoming: IncomingRequest) =>
    gateway.serve(
      incoming,
      'anyone',
      async ({ address }) => {
        const values = await readForm(incoming.request)
        const token = values.get('logout_token') ?? ''
        await endSessions(Number(incoming.params!.issuer), token, address)
        return new Response(null, { headers: { 'cache-control': 'no-store' } })
      },
      ({ message, code }) =>
        json({ error: 'invalid_request', error_description: message }, STATUS[code]),
    )
