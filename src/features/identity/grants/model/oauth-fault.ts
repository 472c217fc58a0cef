import { Fault } from '../../../../kernel/fault.ts'

/** The error codes of OAuth that this server answers with. */
export type OAuthError =
  | 'access_denied'
  | 'authorization_pending'
  | 'expired_token'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'slow_down'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** A fault with an error code of OAuth in its details. */
export const oauthFault = (error: OAuthError, message: string) =>
  new Fault('invalid', message, { error })
