import type { Server } from '../../kernel/caller.ts'
import { Unfetched } from '../../kernel/outside.ts'
import { complaint, signatureOf, TIMEOUT_MS } from './rules.ts'
import { secretsOf } from './secrets.ts'
import type { Webhook } from './store.ts'

/** What is sent, and the id by which its reader knows it again. */
export interface Letter {
  id: string
  type: string
  body: string
}

export interface Outcome {
  at: Date
  ms: number
  /** Null where nothing answered. */
  status: number | null
  /** Null where it was delivered. */
  error: string | null
}

interface Attempting {
  now: Date
  /** Ends it, whatever it is waiting for. */
  signal?: AbortSignal
}

/** Sends a letter once, signed with each secret that is good now. */
export async function attempt(
  server: Pick<Server, 'sign' | 'post'>,
  webhook: Webhook,
  letter: Letter,
  { now, signal = AbortSignal.timeout(TIMEOUT_MS) }: Attempting,
): Promise<Outcome> {
  const secrets = await secretsOf(server, webhook, now)
  const began = performance.now()
  const told = await answerOf(server, webhook.url, {
    ...{ headers: headersOf(letter, secrets, now), body: letter.body },
    signal,
  })
  return { at: now, ms: Math.round(performance.now() - began), ...told }
}

async function answerOf(
  { post }: Pick<Server, 'post'>,
  url: string,
  posting: Parameters<Server['post']['send']>[1],
): Promise<Pick<Outcome, 'status' | 'error'>> {
  try {
    const status = await post.send(url, posting)
    return { status, error: complaint(status) }
  } catch (error) {
    if (!(error instanceof Unfetched)) throw error
    return { status: null, error: error.message }
  }
}

function headersOf({ id, body }: Letter, secrets: readonly string[], now: Date) {
  const timestamp = Math.floor(now.getTime() / 1000)
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf({ id, timestamp, body }, secrets),
  }
}
