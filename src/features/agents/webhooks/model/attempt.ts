import type { Server } from '../../../../kernel/caller.ts'
import type { Outcome } from '../../../../kernel/delivery-queue.ts'
import { FetchError } from '../../../../kernel/services.ts'
import { signatureOf, statusError, TIMEOUT_MS } from './rules.ts'
import { type Seeds, secretsOf } from './secrets.ts'

/** The content of a request, with the id by which its receiver recognises duplicates. */
export interface WebhookRequest {
  id: string
  type: string
  body: string
}

interface AttemptOptions {
  now: Date
  /** Aborts the request. */
  signal?: AbortSignal
}

/** Sends a request once, signed with each valid secret. */
export async function attempt(
  server: Pick<Server, 'sign' | 'post'>,
  webhook: Seeds & { url: string },
  request: WebhookRequest,
  { now, signal = AbortSignal.timeout(TIMEOUT_MS) }: AttemptOptions,
): Promise<Outcome> {
  const secrets = await secretsOf(server, webhook, now)
  const startedAt = performance.now()
  const answer = await answerOf(server, webhook.url, {
    headers: signedHeaders(request, secrets, now),
    body: request.body,
    signal,
  })
  return { at: now, ms: Math.round(performance.now() - startedAt), ...answer }
}

async function answerOf(
  { post }: Pick<Server, 'post'>,
  url: string,
  options: Parameters<Server['post']['send']>[1],
): Promise<Pick<Outcome, 'status' | 'error'>> {
  try {
    const status = await post.send(url, options)
    return { status, error: statusError(status) }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return { status: null, error: error.message }
  }
}

/** The headers of Standard Webhooks. */
export function signedHeaders(
  { id, body }: Pick<WebhookRequest, 'id' | 'body'>,
  secrets: readonly string[],
  now: Date,
) {
  const timestamp = Math.floor(now.getTime() / 1000)
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf({ id, timestamp, body }, secrets),
  }
}
