import { signedHeaders } from '../../../../agents/webhooks/model/index.ts'
import { secretsOf } from '../config.ts'
import type { Format } from './format.ts'

/** Standard Webhooks, as the webhooks of agents. */
export const webhook: Format = ({ config, message, now }) => {
  const { id, kind, ...data } = message
  const type = `notification.${kind}`
  const body = JSON.stringify({ id, type, timestamp: now.toISOString(), data: { kind, ...data } })
  return {
    url: config.url,
    headers: signedHeaders({ id, body }, secretsOf(config, now), now),
    body,
  }
}
