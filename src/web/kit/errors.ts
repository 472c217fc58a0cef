import { t } from '../messages/t.ts'

/** The server refused the request. The message is written for people. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly hint?: string,
    readonly details: Record<string, unknown> = {},
    readonly requestId?: string,
  ) {
    super(message)
  }
}

/** No response arrived, so it is unknown whether the server executed the request. */
export class NoResponseError extends Error {
  constructor() {
    super(t('kit.the_server_is_not_responding'))
  }
}

/** Matches the server's message to a user who is no longer a member of the team. */
const LACKS_SCOPE = /lacks the scope/
/** Hints that name MCP tools or REST routes are of no use in the app. */
const AGENT_HINT = /\bsvc_|\b(GET|POST|PUT|PATCH|DELETE) \//

/** The message and, unless it is meant for agents, the hint. */
export const messageWithHint = ({
  message,
  hint,
}: {
  message: string
  hint?: string | undefined
}) => [message, hint && !AGENT_HINT.test(hint) && hint].filter(Boolean).join('. ')

/** The text to show for an error. A server error includes the request id. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { status, message, requestId } = error
  if (LACKS_SCOPE.test(message)) return t('kit.you_no_longer_have_permission_to_do')
  const text = messageWithHint(error)
  return status >= 500 && requestId ? `${text}: ${requestId}` : text
}
