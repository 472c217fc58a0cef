import { createECDH, createPublicKey, verify } from 'node:crypto'
import { addCleanup } from './database.ts'

/** A request as a service received it. */
export interface Received {
  path: string
  headers: Record<string, string>
  bytes: Uint8Array<ArrayBuffer>
}

type Answer = Response | number | Promise<Response | number>

/** A service that records what it is sent, and refuses what its protocol does not allow. */
export function startService<T>(read: (received: Received) => T | Promise<T>) {
  const messages: T[] = []
  const refused: string[] = []
  const handler: { respond(message: T, nth: number): Answer } = { respond: () => 200 }
  let count = 0
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 60 },
    async fetch(request) {
      const received = {
        path: new URL(request.url).pathname,
        headers: Object.fromEntries(request.headers),
        bytes: new Uint8Array(await request.arrayBuffer()),
      }
      try {
        const message = await read(received)
        count += 1
        const answer = await handler.respond(message, count)
        const response =
          typeof answer === 'number' ? new Response(null, { status: answer }) : answer
        if (response.ok) messages.push(message)
        return response
      } catch (error) {
        refused.push(String(error))
        return new Response(String(error), { status: 400 })
      }
    },
  })
  addCleanup(() => server.stop(true))
  const url = `http://127.0.0.1:${server.port}`
  return { url, messages, refused, handler, attempts: () => count }
}

export type Service<T> = ReturnType<typeof startService<T>>

const jsonOf = <T>({ bytes, headers }: Received): T => {
  require(headers['content-type'] === 'application/json', 'the content type is not JSON')
  return JSON.parse(new TextDecoder().decode(bytes)) as T
}

function require(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new Error(problem)
}

const requireOnly = (value: object, names: string) => {
  const unknown = Object.keys(value).filter((name) => !names.split(' ').includes(name))
  require(!unknown.length, `unknown fields: ${unknown}`)
}

interface SlackText {
  type: string
  text: string
}
interface SlackButton {
  type: string
  text: SlackText
  action_id: string
  url?: string
  value?: string
}
export interface SlackMessage {
  text: string
  blocks: { type: string; text?: SlackText; elements?: SlackButton[] }[]
}

/** Checks the limits of Block Kit. */
export const slackService = () =>
  startService((received) => {
    const message = jsonOf<SlackMessage>(received)
    requireOnly(message, 'text blocks unfurl_links')
    require(message.text.length <= 40_000 && message.blocks.length <= 50, 'too long')
    for (const block of message.blocks) checkSlackBlock(block)
    return message
  })

function checkSlackBlock({ type, text, elements }: SlackMessage['blocks'][number]) {
  if (type === 'section') {
    require(text?.type === 'mrkdwn' && text.text.length >= 1, 'invalid_blocks: no text')
    require(text.text.length <= 3000, 'invalid_blocks: the text is too long')
    require(!/<[!@]/.test(text.text), 'the text mentions somebody')
    return
  }
  require(type === 'actions' && elements!.length <= 25 && elements!.length > 0, 'invalid_blocks')
  const ids = new Set(elements!.map(({ action_id }) => action_id))
  require(ids.size === elements!.length, 'action_id is not unique')
  for (const { type, text, action_id, url = '', value = '' } of elements!) {
    require(type === 'button' && text.type === 'plain_text', 'invalid button')
    require(text.text.length <= 75 && action_id.length <= 255, 'the button is too long')
    require(url.length <= 3000 && value.length <= 2000, 'the address is too long')
  }
}

export interface DiscordMessage {
  embeds: { title: string; description: string; url: string; color: number; timestamp: string }[]
  allowed_mentions: { parse: string[] }
}

export const discordService = () =>
  startService((received) => {
    const message = jsonOf<DiscordMessage>(received)
    requireOnly(message, 'username embeds allowed_mentions')
    require(message.embeds.length <= 10, 'too many embeds')
    require(message.allowed_mentions.parse.length === 0, 'it may mention people')
    for (const { title, description, url, color, timestamp } of message.embeds) {
      require(title.length <= 256 && description.length <= 4096, 'the embed is too long')
      require(URL.canParse(url) && Number.isInteger(color), 'invalid embed')
      require(new Date(timestamp).toISOString() === timestamp, 'invalid time')
    }
    return message
  })

export interface MattermostMessage {
  attachments: { fallback: string; title: string; title_link: string; text: string }[]
}

export const mattermostService = () =>
  startService((received) => {
    const message = jsonOf<MattermostMessage>(received)
    requireOnly(message, 'username attachments')
    for (const attachment of message.attachments) {
      requireOnly(attachment, 'fallback color title title_link text')
      require(JSON.stringify(attachment).length <= 16_383, 'the post is too long')
      require(!/@(all|channel|here)\b/.test(attachment.text), 'it mentions everybody')
    }
    return message
  })

export interface NtfyMessage {
  topic: string
  title: string
  message: string
  priority: number
  tags?: string[]
  click: string
  actions?: { action: string; label: string; url: string; method?: string }[]
}

export const ntfyService = (token?: string) =>
  startService((received) => {
    const message = jsonOf<NtfyMessage>(received)
    require(received.path === '/', 'JSON is published to the root')
    const { authorization } = received.headers
    require(authorization === (token && `Bearer ${token}`), 'unauthorized')
    requireOnly(message, 'topic title message priority tags click actions')
    require(/^[-_A-Za-z0-9]{1,64}$/.test(message.topic), 'invalid topic')
    require(Buffer.byteLength(message.message) <= 4096, 'the message is too long')
    require(message.priority >= 1 && message.priority <= 5, 'invalid priority')
    require((message.actions ?? []).length <= 3, 'too many actions')
    return message
  })

export interface AppriseMessage {
  title: string
  body: string
  type: string
  format: string
  urls?: string
  tag?: string
}

export const appriseService = () =>
  startService((received) => {
    const message = jsonOf<AppriseMessage>(received)
    require(received.path.startsWith('/notify'), 'no such endpoint')
    requireOnly(message, 'title body type format urls tag')
    require(message.body && /^(info|success|warning|failure)$/.test(message.type), 'invalid type')
    require(/^(text|markdown|html)$/.test(message.format), 'invalid format')
    return message
  })

export interface PushMessage {
  title: string
  body: string
  url: string
  tag: string
  badge?: number
  actions: { label: string; url: string; post?: true }[]
}

/** A push service with the browser behind it, which decrypts what arrives. */
export async function pushService() {
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const auth = crypto.getRandomValues(new Uint8Array(16))
  const sent: { headers: Record<string, string>; publicKey: string }[] = []
  const service: Service<PushMessage> = startService(async ({ headers, bytes }) => {
    require(headers['content-encoding'] === 'aes128gcm', 'the encoding is not aes128gcm')
    require(Number(headers.ttl) > 0 && /^[\w-]{1,32}$/.test(headers.topic ?? ''), 'invalid header')
    require(bytes.length <= 4096, 'the payload is too long')
    const publicKey = verifyVapid(headers.authorization!, service.url)
    sent.push({ headers, publicKey })
    const text = await decryptPush(bytes, { browser, auth })
    return JSON.parse(text) as PushMessage
  })
  const subscription = {
    url: `${service.url}/push/abc`,
    keys: {
      p256dh: browser.getPublicKey('base64url'),
      auth: Buffer.from(auth).toString('base64url'),
    },
  }
  return { ...service, subscription, sent }
}

/** Checks the token as RFC 8292 says, and returns the key that signed it. */
function verifyVapid(authorization: string, origin: string): string {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  ) as [string, string]
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const isValid = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  require(isValid, 'the signature of the token is wrong')
  const { aud, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  require(aud === origin && /^(https:|mailto:)/.test(sub), 'the claims of the token are wrong')
  return key
}

/** Decrypts as RFC 8188 and RFC 8291 say, on the side of the browser. */
async function decryptPush(
  bytes: Uint8Array<ArrayBuffer>,
  { browser, auth }: { browser: ReturnType<typeof createECDH>; auth: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const salt = bytes.slice(0, 16)
  const length = bytes[20]!
  const senderKey = bytes.slice(21, 21 + length)
  const text = (label: string) => new TextEncoder().encode(label)
  const derive = async (
    secret: Uint8Array<ArrayBuffer>,
    saltBytes: Uint8Array<ArrayBuffer>,
    info: Uint8Array<ArrayBuffer>,
    size: number,
  ) => {
    const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
    const parameters = { name: 'HKDF', hash: 'SHA-256', salt: saltBytes, info }
    return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, size * 8))
  }
  const shared = new Uint8Array(browser.computeSecret(senderKey))
  const info = Buffer.concat([text('WebPush: info\0'), browser.getPublicKey(), senderKey])
  const secret = await derive(shared, auth, new Uint8Array(info), 32)
  const keyBytes = await derive(secret, salt, text('Content-Encoding: aes128gcm\0'), 16)
  const iv = await derive(secret, salt, text('Content-Encoding: nonce\0'), 12)
  const key = await crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, ['decrypt'])
  const sealed = bytes.slice(21 + length)
  const open = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed))
  require(open.at(-1) === 2, 'the delimiter of the last record is missing')
  return new TextDecoder().decode(open.slice(0, -1))
}
