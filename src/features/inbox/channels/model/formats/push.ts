import { encryptPush, MAX_PAYLOAD_BYTES, vapidHeader } from '../web-push.ts'
import { cut, type Format, type FormatParts } from './format.ts'

/** Push services keep a message for a browser that is offline for a day. */
const TTL_SECONDS = 24 * 60 * 60
/** Browsers show at most two buttons; a service worker can choose among a few. */
const MAX_ACTIONS = 4

/** For the service worker: what it shows, and what its buttons do. */
function payloadOf({
  id,
  kind,
  important,
  title,
  body,
  url,
  unread,
  actions,
}: FormatParts['message']) {
  const shown = actions.slice(0, MAX_ACTIONS)
  const textFor = (most: number) =>
    JSON.stringify({
      ...{ title: cut(title, 200), body: cut(body, most), url, tag: id, kind, important },
      ...(unread !== undefined && { badge: unread }),
      actions: shown,
    })
  for (let most = 2000; most > 1; most = Math.floor(most / 2)) {
    const text = textFor(most)
    if (Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES) return text
  }
  return JSON.stringify({ title: cut(title, 200), body: '', url, tag: id, actions: [] })
}

/** Push services want a way to reach the operator. */
function subjectOf(serverUrl: string): string {
  const { protocol, hostname } = new URL(serverUrl)
  return protocol === 'https:' ? serverUrl : `mailto:corkboard@${hostname}`
}

export const push: Format = async ({ config, message, serverUrl, vapidKey, now }) => {
  const { url: endpoint, keys } = config
  const subject = subjectOf(serverUrl)
  return {
    url: endpoint,
    headers: {
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      authorization: vapidHeader(await vapidKey(), { endpoint, subject, now }),
      ttl: String(TTL_SECONDS),
      urgency: message.important ? 'high' : 'normal',
      // A repeated attempt replaces a message that the browser has not received yet.
      topic: Bun.CryptoHasher.hash('sha256', message.id, 'base64url').slice(0, 32),
    },
    body: await encryptPush(payloadOf(message), keys!),
  }
}
