import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>

/** Encodes what WebAuthn needs of CBOR. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map)
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([name, one]) => [cbor(name), cbor(one)]),
    ])
  return Buffer.concat([head(2, value.length), value])
}

function head(type: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(type << 5) | length])
  if (length < 256) return Buffer.from([(type << 5) | 24, length])
  return Buffer.from([(type << 5) | 25, length >> 8, length & 255])
}

const UP = 0x01
const UV = 0x04
const AT = 0x40

interface Behaviour {
  /** The page that uses the passkey. */
  origin?: string
  rpId?: string
  /** Whether the authenticator checks the person. */
  isVerified?: boolean
  /** The signature counter; by default it grows. */
  counter?: number
}

/** An authenticator with one passkey, as a browser would use it. */
export function authenticator(defaults: Behaviour = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let uses = 0
  let userHandle: string | undefined
  const point = (text = '') => Buffer.from(text, 'base64url')
  const coseKey = new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, point(x)],
    [-3, point(y)],
  ])
  const behaviourOf = (behaviour: Behaviour) => ({
    ...{ origin: 'http://localhost', rpId: 'localhost', isVerified: true, counter: ++uses },
    ...defaults,
    ...behaviour,
  })
  const clientData = (type: string, challenge: unknown, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = (
    { rpId, isVerified, counter }: ReturnType<typeof behaviourOf>,
    attested?: Buffer,
  ) => {
    const flags = UP | (isVerified ? UV : 0) | (attested ? AT : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)])
  }
  return {
    id: base64url(id),
    /** Answers `navigator.credentials.create`. */
    create(options: Record<string, unknown>, behaviour: Behaviour = {}) {
      const own = behaviourOf(behaviour)
      userHandle = (options.user as { id: string }).id
      const length = Buffer.from([0, id.length])
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(coseKey)])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData(own, attested)],
      ])
      return {
        webauthn_id: base64url(id),
        client_data: base64url(clientData('webauthn.create', options.challenge, own.origin)),
        attestation: base64url(cbor(attestation)),
        transports: ['internal'],
      }
    },
    /** Answers `navigator.credentials.get`. */
    get(options: Record<string, unknown>, behaviour: Behaviour = {}) {
      const own = behaviourOf(behaviour)
      const client_data = clientData('webauthn.get', options.challenge, own.origin)
      const data = authData(own)
      const signature = sign('sha256', Buffer.concat([data, sha256(client_data)]), privateKey)
      return {
        webauthn_id: base64url(id),
        client_data: base64url(client_data),
        authenticator_data: base64url(data),
        signature: base64url(signature),
        ...(userHandle && { user_handle: userHandle }),
      }
    },
  }
}

export type Authenticator = ReturnType<typeof authenticator>
