import { Fault } from '../kernel/fault.ts'

/** What a failure is about, for the messages. */
export interface Attempt {
  /** The name of the issuer. */
  name: string
  issuer: string
  redirectUri: string
  /** The prefix of its settings. */
  prefix: string
}

/** A failed sign-in: a fault for the person, and a sentence for the operator without secrets. */
export class IssuerProblem extends Error {
  constructor(
    readonly fault: Fault,
    readonly operatorMessage: string,
  ) {
    super(operatorMessage)
  }
}

/** An error of openid-client or of fetch. */
interface Failure {
  name?: string
  code?: string
  error?: string
  error_description?: string
  cause?: unknown
  message?: string
}

const ASK = 'Ask the operator of this server'

/** Explains an error of openid-client. Causes are not logged, because they contain tokens. */
export function toProblem(error: unknown, attempt: Attempt): IssuerProblem {
  if (error instanceof IssuerProblem) return error
  const failure = error as Failure
  if (failure.code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return refusal(failure, attempt)
  if (failure.code === 'OAUTH_RESPONSE_BODY_ERROR') return tokenRefusal(failure, attempt)
  if (failure.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return clockProblem(failure, attempt)
  return comparisonProblem(failure, attempt) ?? unreachable(failure, attempt)
}

/** The issuer sent the person back with an error. */
function refusal({ error = '', ...failure }: Failure, { name }: Attempt): IssuerProblem {
  const description = shortLine(failure.error_description ?? '')
  const operator = `${name} refused the sign-in: ${shortLine(error)} ${description}`.trim()
  if (error === 'access_denied')
    return new IssuerProblem(
      new Fault('forbidden', `${name} did not let you sign in`, {}, 'Try again and allow it'),
      operator,
    )
  const isBusy = error === 'temporarily_unavailable' || error === 'server_error'
  return new IssuerProblem(
    new Fault(
      isBusy ? 'unavailable' : 'forbidden',
      `${name} refused the sign-in: ${shortLine(error)}`,
      {},
      isBusy ? 'Try again in a moment' : ASK,
    ),
    operator,
  )
}

/** The token endpoint refused the code or this server. */
function tokenRefusal(failure: Failure, attempt: Attempt): IssuerProblem {
  const { name, prefix, redirectUri } = attempt
  const error = shortLine(failure.error ?? '')
  const description = shortLine(failure.error_description ?? '')
  const says = `${name} refused the code of a sign-in: ${error} ${description}`.trim()
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return configurationProblem(
      attempt,
      `${says}. Correct ${prefix}CLIENT_ID and ${prefix}CLIENT_SECRET`,
    )
  return new IssuerProblem(
    new Fault('unauthenticated', `${name} did not accept this sign-in`, {}, 'Sign in again'),
    `${says}. If it happens every time, allow the redirect URI ${redirectUri} there`,
  )
}

const configurationProblem = ({ name }: Attempt, operatorMessage: string): IssuerProblem =>
  new IssuerProblem(
    new Fault('unavailable', `The connection to ${name} is not set up correctly`, {}, ASK),
    operatorMessage,
  )

function clockProblem({ cause }: Failure, { name }: Attempt): IssuerProblem {
  const details = detailsOf(cause)
  const { now, claims } = details as { now?: number; claims?: { iat?: number } }
  const seconds = now !== undefined && claims?.iat !== undefined ? now - claims.iat : undefined
  const difference = seconds === undefined ? '' : ` by about ${Math.abs(seconds)} s`
  return new IssuerProblem(
    new Fault(
      'unavailable',
      `The clocks of this server and of ${name} differ${difference}`,
      {},
      'Ask the operator to set the clock of this server',
    ),
    `The clocks of this server and of ${name} differ${difference}. Synchronize both with NTP`,
  )
}

/** The library reports the claim that differs in the innermost cause. */
function detailsOf(cause: unknown): Record<string, unknown> {
  let details = cause
  while (details instanceof Error) details = details.cause
  return typeof details === 'object' && details !== null ? (details as never) : {}
}

/** Errors of answers that another issuer, server or person may have made. */
const FORGED = [
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_INVALID_RESPONSE',
]

/** A value in a response or in the ID token is not the expected one. */
function comparisonProblem(failure: Failure, attempt: Attempt): IssuerProblem | undefined {
  const { code = '' } = failure
  const { name, prefix } = attempt
  const { claim, attribute } = detailsOf(failure.cause)
  if (attribute === 'issuer')
    return configurationProblem(
      attempt,
      `The discovery document of ${name} names another issuer. Copy its "issuer" to ${prefix}ISSUER`,
    )
  if (!FORGED.includes(code)) return undefined
  const where = claim ?? attribute
  return new IssuerProblem(
    new Fault(
      'unauthenticated',
      `The answer of ${name} does not belong to this sign-in`,
      {},
      'Sign in again',
    ),
    `The answer of ${name} was rejected: ${innermostMessage(failure)}${where ? ` (${where})` : ''}`,
  )
}

function innermostMessage(failure: Failure): string {
  let error: Failure = failure
  while (error.cause instanceof Error) error = error.cause
  return shortLine(error.message ?? '')
}

function unreachable(failure: Failure, { name, issuer }: Attempt): IssuerProblem {
  const isTimeout = failure.code === 'OAUTH_TIMEOUT' || failure.name === 'TimeoutError'
  const reason = isTimeout
    ? 'it took too long to respond'
    : statusText(failure) || innermostMessage(failure)
  return new IssuerProblem(
    new Fault('unavailable', `${name} cannot be reached now`, {}, 'Try again in a moment'),
    `${name} (${issuer}) cannot be used: ${reason}`,
  )
}

const statusText = ({ cause }: Failure): string =>
  cause instanceof Response ? `HTTP status ${cause.status}` : ''

const MAX_LENGTH = 200

/** The text as one line of limited length, because it comes from outside. */
const shortLine = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
    .toWellFormed()
