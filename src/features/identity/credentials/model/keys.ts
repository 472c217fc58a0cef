import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
  scryptSync,
  timingSafeEqual,
} from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../../../kernel/caller.ts'
import type { Store } from '../../../../kernel/dispatch.ts'
import { Fault } from '../../../../kernel/fault.ts'
import { UnusableError } from '../../../../store/unusable.ts'
import { signingKeys } from './tables.ts'

const ISSUER = 'corkboard'
const KEY_BYTES = 32
const KEY_NAME = 'tokens'
const MIN_SECRET_LENGTH = 16
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Signs and reads the tokens of this installation. */
export class SigningKey {
  /** Only backups may read the secret. */
  constructor(readonly secret: Uint8Array) {}

  sign(claims: Record<string, unknown>): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(ISSUER)
      .sign(this.secret)
  }

  /** The id of a token, which identifies its row. */
  async idOf(token: string, now: Date): Promise<string> {
    try {
      const { payload } = await jwtVerify(token, this.secret, {
        issuer: ISSUER,
        algorithms: ['HS256'],
        currentDate: now,
      })
      if (typeof payload.jti === 'string') return payload.jti
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_JWT_EXPIRED')
        throw new Fault(
          'unauthenticated',
          'This access token has expired',
          {},
          'Sign in and create a new one in the MCP section of the settings',
        )
    }
    throw new Fault(
      'unauthenticated',
      'This access token was not signed by this server',
      {},
      'Copy the complete token from the settings again',
    )
  }

  /**
   * A short MAC that this installation created for a text. The purpose separates kinds of seals,
   * and its colon separates seals from token signatures.
   */
  seal(purpose: string, text: string): string {
    return new Bun.CryptoHasher('sha256', this.secret)
      .update(`${purpose}:${text}`)
      .digest('base64url')
  }

  /** Encrypts a secret for the database, with a key of its own for each purpose. */
  encrypt(purpose: string, text: string): string {
    return encrypt(this.keyFor(purpose), Buffer.from(text)).toString('base64url')
  }

  /** Throws if the text was encrypted with another key or for another purpose. */
  decrypt(purpose: string, encrypted: string): string {
    return decrypt(this.keyFor(purpose), Buffer.from(encrypted, 'base64url')).toString()
  }

  private keyFor(purpose: string): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.secret, '', `encrypt:${purpose}`, KEY_BYTES))
  }

  sealed(purpose: string, text: string, seal: string): boolean {
    const [givenSeal, expectedSeal] = [Buffer.from(seal), Buffer.from(this.seal(purpose, text))]
    return givenSeal.length === expectedSeal.length && timingSafeEqual(givenSeal, expectedSeal)
  }
}

export interface KeyLocation {
  /** The data folder. */
  data: string
  /** If set, the key is in the database, shared by all servers. */
  databaseUrl: string | undefined
  secret: string | undefined
}

/** The key of this installation; created at first use. */
export async function openKey(
  { data, databaseUrl, secret }: KeyLocation,
  store: Store,
  clock: Clock,
): Promise<SigningKey> {
  if (!databaseUrl) return new SigningKey(keyInFolder(data))
  return new SigningKey(await keyInDatabase(store, checkedSecret(secret), clock()))
}

function checkedSecret(secret = ''): string {
  if (secret.length >= MIN_SECRET_LENGTH) return secret
  throw new UnusableError(
    `${secret ? `CORK_SECRET must have at least ${MIN_SECRET_LENGTH} characters` : 'CORK_SECRET is required with DATABASE_URL: it encrypts the signing key in the database'}. Create one with "openssl rand -base64 32", keep it, and use the same one on every server of this database.`,
  )
}

/** Servers that start concurrently each generate a key; the first one written is used by all. */
async function keyInDatabase(store: Store, secret: string, now: Date): Promise<Uint8Array> {
  const isKeyRow = eq(signingKeys.name, KEY_NAME)
  const [existing] = await store.read((tx) => tx.select().from(signingKeys).where(isKeyRow))
  if (existing) return decryptKey(existing.sealed, secret)
  const draft = encryptKey(randomBytes(KEY_BYTES), secret)
  const [stored] = await store.write(async (tx) => {
    const row = { name: KEY_NAME, sealed: draft, created_at: now }
    await tx.insert(signingKeys).values(row).onConflictDoNothing()
    return tx.select().from(signingKeys).where(isKeyRow)
  })
  return decryptKey(stored!.sealed, secret)
}

/** The database row of a key, for a restore. */
export const keyRow = (key: Uint8Array, secret: string | undefined, now: Date) => ({
  name: KEY_NAME,
  sealed: encryptKey(key, checkedSecret(secret)),
  created_at: now,
})

const deriveKey = (secret: string, salt: Uint8Array) => scryptSync(secret, salt, 32)

/** The nonce, the tag and the encrypted text, in this order. */
function encrypt(key: Uint8Array, text: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

function decrypt(key: Uint8Array, bytes: Buffer): Buffer {
  const [nonce, rest] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)]
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(rest.subarray(0, TAG_BYTES))
  return Buffer.concat([decipher.update(rest.subarray(TAG_BYTES)), decipher.final()])
}

/** The salt and the encrypted key. */
function encryptKey(key: Uint8Array, secret: string): string {
  const salt = randomBytes(SALT_BYTES)
  return Buffer.concat([salt, encrypt(deriveKey(secret, salt), key)]).toString('base64url')
}

function decryptKey(text: string, secret: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64url')
  const [salt, rest] = [bytes.subarray(0, SALT_BYTES), bytes.subarray(SALT_BYTES)]
  try {
    return decrypt(deriveKey(secret, salt), rest)
  } catch {
    throw new UnusableError(
      'CORK_SECRET is not the one that encrypted the signing key in this database. All servers of a database must use the same one. If it is lost, delete the row in the table signing_keys; everyone must then sign in again and create new access tokens.',
    )
  }
}

/** The key in a data folder. */
function keyInFolder(dataDir: string): Uint8Array {
  const path = join(dataDir, 'signing.key')
  const bytes = withFileErrors(path, () => readKeyFile(path) ?? createKeyFile(dataDir, path))
  if (bytes.byteLength !== KEY_BYTES)
    throw new UnusableError(
      `The signing key at ${path} should be ${KEY_BYTES} bytes long but has ${bytes.byteLength}. Restore it from a backup, or delete it: everyone must then sign in again and create new access tokens.`,
    )
  return bytes
}

function readKeyFile(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Writes a temporary file and links it into place: a crash leaves no partial key, and of concurrent
 * servers only one wins.
 */
function createKeyFile(dataDir: string, path: string): Uint8Array {
  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, randomBytes(KEY_BYTES), { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(path)
}

function withFileErrors<T>(path: string, job: () => T): T {
  try {
    return job()
  } catch (error) {
    throw new UnusableError(
      `The signing key at ${path} cannot be used: ${(error as Error).message}. Check that the folder and the file belong to the account that runs Corkboard.`,
    )
  }
}
