import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** How far the clocks of a host and of this server may be apart. */
const TOLERANCE_S = 300

/** A request as it came, before anybody has understood it. */
export interface Sent {
  headers: Headers
  bytes: Uint8Array
  now: Date
}

/** Whether whoever sent this knows the secret. */
export type Proof = (sent: Sent, secret: string) => boolean

/** `X-Hub-Signature-256: sha256=<hex>`, over the body as it came. */
export const githubProof: Proof = ({ headers, bytes }, secret) =>
  alike(headers.get('x-hub-signature-256') ?? '', `sha256=${hmac(secret, bytes).toString('hex')}`)

/** A signature after Standard Webhooks where the host makes one, else the secret itself. */
export const gitlabProof: Proof = (sent, secret) =>
  sent.headers.has('webhook-signature')
    ? signed(sent, secret)
    : alike(sent.headers.get('x-gitlab-token') ?? '', secret)

function signed({ headers, bytes, now }: Sent, secret: string): boolean {
  const [id, time] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? '']
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const made = hmac(key, Buffer.concat([Buffer.from(`${id}.${time}.`), bytes])).toString('base64')
  const shown = headers.get('webhook-signature')!.split(' ').slice(0, 10)
  const isSigned = shown.filter((one) => alike(one, `v1,${made}`)).length > 0
  const age = Math.abs(now.getTime() / 1000 - Number(time))
  return isSigned && /^\d{1,12}$/.test(time) && age <= TOLERANCE_S
}

const hmac = (key: string | Uint8Array, bytes: Uint8Array) =>
  createHmac('sha256', key).update(bytes).digest()

/** Takes as long whatever is shown: only digests of both are compared. */
function alike(shown: string, known: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(shown), digest(known))
}
