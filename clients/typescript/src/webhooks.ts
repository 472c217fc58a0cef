import type { WebhookEvents } from './generated.ts'

/** The headers of a request: a `Headers`, or the plain object of Node. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>
type WebhookEvent = WebhookEvents[keyof WebhookEvents]

const TOLERANCE_SECONDS = 300

/**
 * Returns the event in a request of a webhook if its signature is valid, and throws otherwise. `body`
 * is the text as received: parsing and writing it again changes it.
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string,
): Promise<WebhookEvent> {
  const id = headerIn(headers, 'webhook-id')
  const timestamp = headerIn(headers, 'webhook-timestamp')
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= TOLERANCE_SECONDS)) throw new Error('The timestamp of the webhook is too old or new')
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of headerIn(headers, 'webhook-signature').split(' ')) {
    const [version, text = ''] = signature.split(',')
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(text), signed)))
      return JSON.parse(body)
  }
  throw new Error('The signature of the webhook is not valid')
}

function headerIn(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string') throw new Error(`The webhook has no header ${name}`)
  return value
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
