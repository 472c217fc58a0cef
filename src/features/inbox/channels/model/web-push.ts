import { createECDH, createPrivateKey, sign as signWith } from 'node:crypto'
import type { Server } from '../../../../kernel/caller.ts'

/** Web push: the message encryption of RFC 8291 and the identification of the server of RFC 8292. */

const CURVE = 'prime256v1'
/** One record of 4,096 bytes, less its header, the tag and the delimiter. */
export const MAX_PAYLOAD_BYTES = 3993
const RECORD_BYTES = 4096
/** Push services accept at most a day. */
const TOKEN_SECONDS = 12 * 60 * 60

export interface PushKeys {
  /** The public key of the browser and its secret, in base64url. */
  p256dh: string
  auth: string
}

/** Chosen at random for each message; tests set them. */
interface Randomness {
  privateKey?: Uint8Array
  salt?: Uint8Array
}

export interface VapidKey {
  privateKey: Buffer
  /** In base64url, as browsers need it to subscribe. */
  publicKey: string
}

/**
 * The key by which push services recognise this server. It is derived from the key of the
 * installation, so it is the same on all servers of a database and stored nowhere.
 */
export async function vapidKeyOf(server: Pick<Server, 'sign'>): Promise<VapidKey> {
  const seed = await server.sign({ web_push: 1 })
  const privateKey = Buffer.from(Bun.CryptoHasher.hash('sha256', seed))
  const ecdh = createECDH(CURVE)
  ecdh.setPrivateKey(privateKey)
  return { privateKey, publicKey: ecdh.getPublicKey('base64url') }
}

/** The header by which the server identifies itself to the push service of an endpoint. */
export function vapidHeader(
  { privateKey, publicKey }: VapidKey,
  { endpoint, subject, now }: { endpoint: string; subject: string; now: Date },
): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const exp = Math.floor(now.getTime() / 1000) + TOKEN_SECONDS
  const claims = { aud: new URL(endpoint).origin, exp, sub: subject }
  const unsigned = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
  const point = Buffer.from(publicKey, 'base64url')
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: privateKey.toString('base64url'),
    },
  })
  const signature = signWith('sha256', Buffer.from(unsigned), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${unsigned}.${signature.toString('base64url')}, k=${publicKey}`
}

/** Whether a browser's keys have the right form; encrypting fails with others. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== 65 || Buffer.from(auth, 'base64url').length !== 16) return false
  try {
    const ecdh = createECDH(CURVE)
    ecdh.generateKeys()
    return ecdh.computeSecret(point).length === 32
  } catch {
    return false
  }
}

/** Encrypts a message so that only the browser can read it, not its push service. */
export async function encryptPush(
  text: string,
  { p256dh, auth }: PushKeys,
  { privateKey, salt = crypto.getRandomValues(new Uint8Array(16)) }: Randomness = {},
): Promise<Uint8Array> {
  const own = createECDH(CURVE)
  if (privateKey) own.setPrivateKey(privateKey)
  else own.generateKeys()
  const [receiverKey, senderKey] = [Buffer.from(p256dh, 'base64url'), own.getPublicKey()]
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey])
  const shared = own.computeSecret(receiverKey)
  const secret = await derive(shared, Buffer.from(auth, 'base64url'), info, 32)
  const key = await derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const iv = await derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt'])
  // The delimiter 2 ends the last record.
  const record = Buffer.concat([Buffer.from(text), Buffer.from([2])])
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, imported, record)
  const header = Buffer.alloc(21)
  header.set(salt)
  header.writeUInt32BE(RECORD_BYTES, 16)
  header.writeUInt8(senderKey.length, 20)
  return Buffer.concat([header, senderKey, Buffer.from(encrypted)])
}

type Bytes = Uint8Array<ArrayBuffer>

async function derive(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number) {
  const key = await crypto.subtle.importKey('raw', secret as Bytes, 'HKDF', false, ['deriveBits'])
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: salt as Bytes, info: info as Bytes }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, bytes * 8))
}
