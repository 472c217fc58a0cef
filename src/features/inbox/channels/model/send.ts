import type { Server } from '../../../../kernel/caller.ts'
import type { Attempt, Outcome } from '../../../../kernel/delivery-queue.ts'
import { FetchError, type PostResponse } from '../../../../kernel/services.ts'
import { statusError } from '../../../agents/webhooks/model/index.ts'
import type { Channel } from './access.ts'
import { openConfig } from './config.ts'
import { FORMATS } from './formats/index.ts'
import type { ChannelMessage } from './message.ts'
import { parseRetryAfter } from './rules.ts'
import { vapidKeyOf } from './web-push.ts'

const MAX_EXPLANATION = 200

type Services = Pick<Server, 'url' | 'sign' | 'decrypt' | 'post'>

/** Sends a message once. */
export async function sendMessage(
  server: Services,
  channel: Channel,
  message: ChannelMessage,
  { now, signal }: Attempt,
): Promise<Outcome> {
  const { url, headers, body } = await FORMATS[channel.kind]({
    config: openConfig(server, channel),
    message,
    serverUrl: server.url,
    vapidKey: () => vapidKeyOf(server),
    now,
  })
  const startedAt = performance.now()
  const request = { headers: { 'content-type': 'application/json', ...headers }, body, signal }
  const answer = await answerOf(server, url, request, now)
  return { at: now, ms: Math.round(performance.now() - startedAt), ...answer }
}

async function answerOf(
  { post }: Services,
  url: string,
  request: Parameters<Server['post']['exchange']>[1],
  now: Date,
): Promise<Omit<Outcome, 'at' | 'ms'>> {
  try {
    const response = await post.exchange(url, request)
    const { status, retryAfter } = response
    const isBusy = status === 429 || status === 503
    const wait = isBusy ? parseRetryAfter(retryAfter, now) : undefined
    return { status, error: errorOf(response), ...(wait !== undefined && { retryAfter: wait }) }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return { status: null, error: error.message }
  }
}

/** Why a message was refused, with what the service says about it. */
function errorOf({ status, text }: PostResponse): string | null {
  const error = statusError(status)
  const explanation = text.trim()
  // Pages of proxies explain nothing.
  if (error === null || !explanation || explanation.startsWith('<')) return error
  return `It responded ${status}: ${explanation.slice(0, MAX_EXPLANATION).toWellFormed()}`
}
