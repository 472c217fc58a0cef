import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The largest accepted difference between the clocks of the host and this server. */
const TOLERANCE_S = 300

/** The unparsed request. */
export interface SignedRequest {
  headers: Headers
  bytes: Uint8Array
  now: Date
}

/** Whether the sender of the request knows the secret. */
export type VerifySignature = (sent: SignedRequest, secret: string) => boolean

/** Verifies `X-Hub-Signature-256: sha256=<hex>` over the raw body. */
export const verifyGithub: VerifySignature = ({ headers, bytes }, secret) =>
  isEqual(headers.get('x-hub-signature-256') ?? '', `sha256=${hmac(secret, bytes).toString('hex')}`)

/** Verifies `X-Forgejo-Signature` or `X-Gitea-Signature`, in hex, over the raw body. */
export const verifyForgejo: VerifySignature = ({ headers, bytes }, secret) =>
  isEqual(
    headers.get('x-forgejo-signature') ?? headers.get('x-gitea-signature') ?? '',
    hmac(secret, bytes).toString('hex'),
  )

/** Verifies a Standard Webhooks signature if there is one, otherwise compares the secret itself. */
export const verifyGitlab: VerifySignature = (request, secret) =>
  request.headers.has('webhook-signature')
    ? verifyStandardWebhook(request, secret)
    : isEqual(request.headers.get('x-gitlab-token') ?? '', secret)

/** Verifies `X-Slack-Signature: v0=<hex>` over the time and the raw body. */
export const verifySlack: VerifySignature = ({ headers, bytes, now }, secret) => {
  const time = headers.get('x-slack-request-timestamp') ?? ''
  const signed = hmac(secret, Buffer.concat([Buffer.from(`v0:${time}:`), bytes]))
  const isSigned = isEqual(headers.get('x-slack-signature') ?? '', `v0=${signed.toString('hex')}`)
  return isSigned && isRecent(time, now)
}

function verifyStandardWebhook({ headers, bytes, now }: SignedRequest, secret: string): boolean {
  const [id, time] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? '']
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = hmac(key, Buffer.concat([Buffer.from(`${id}.${time}.`), bytes])).toString(
    'base64',
  )
  const signatures = headers.get('webhook-signature')!.split(' ').slice(0, 10)
  const isSigned = signatures.filter((signature) => isEqual(signature, `v1,${expected}`)).length > 0
  return isSigned && isRecent(time, now)
}

/** Whether a time in seconds is close enough to the clock, so that old requests cannot be repeated. */
const isRecent = (time: string, now: Date) =>
  /^\d{1,12}$/.test(time) && Math.abs(now.getTime() / 1000 - Number(time)) <= TOLERANCE_S

const hmac = (key: string | Uint8Array, bytes: Uint8Array) =>
  createHmac('sha256', key).update(bytes).digest()

/** Compares in constant time, by the digests of both texts. */
function isEqual(actual: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(actual), digest(expected))
}
