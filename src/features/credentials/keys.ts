import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  scryptSync,
  timingSafeEqual,
} from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../kernel/caller.ts'
import type { Store } from '../../kernel/dispatch.ts'
import { Fault } from '../../kernel/fault.ts'
import { Unusable } from '../../store/unusable.ts'
import { signingKeys } from './tables.ts'

const ISSUER = 'corkboard'
const KEY_BYTES = 32
const KEY_NAME = 'tokens'
const LEAST_SECRET = 16
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Signs and reads the tokens of this installation. */
export class SigningKey {
  /** The secret itself is for backups alone. */
  constructor(readonly secret: Uint8Array) {}

  sign(claims: Record<string, unknown>): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(ISSUER)
      .sign(this.secret)
  }

  /** The token's own id, by which its row is found. */
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
          'Sign in and make a new one in the MCP section of the settings',
        )
    }
    throw new Fault(
      'unauthenticated',
      'This access token is not one that this server signed',
      {},
      'Copy it again, whole, from the settings',
    )
  }

  /**
   * A short proof that this installation wrote a text. The purpose keeps one kind of seal from
   * passing for another, and its colon keeps every seal from passing for a token's signature.
   */
  seal(purpose: string, text: string): string {
    return new Bun.CryptoHasher('sha256', this.secret)
      .update(`${purpose}:${text}`)
      .digest('base64url')
  }

  sealed(purpose: string, text: string, seal: string): boolean {
    const [shown, made] = [Buffer.from(seal), Buffer.from(this.seal(purpose, text))]
    return shown.length === made.length && timingSafeEqual(shown, made)
  }
}

export interface KeyPlace {
  /** The data folder. */
  data: string
  /** Where this is set, the key lies in the database, for all servers that share it. */
  databaseUrl: string | undefined
  secret: string | undefined
}

/** The key of this installation, made when it is first asked for. */
export async function openKey(
  { data, databaseUrl, secret }: KeyPlace,
  store: Store,
  clock: Clock,
): Promise<SigningKey> {
  if (!databaseUrl) return new SigningKey(keyInFolder(data))
  return new SigningKey(await keyInDatabase(store, checked(secret), clock()))
}

function checked(secret = ''): string {
  if (secret.length >= LEAST_SECRET) return secret
  throw new Unusable(
    `${secret ? `CORK_SECRET must have at least ${LEAST_SECRET} characters` : 'With DATABASE_URL, CORK_SECRET is needed too: it encrypts the signing key in the database'}. Make one with "openssl rand -base64 32", keep it, and give the same one to every server of this database.`,
  )
}

/** Servers that start at once each make one; the first to be written is everybody's. */
async function keyInDatabase(store: Store, secret: string, now: Date): Promise<Uint8Array> {
  const mine = eq(signingKeys.name, KEY_NAME)
  const [there] = await store.read((tx) => tx.select().from(signingKeys).where(mine))
  if (there) return unsealed(there.sealed, secret)
  const draft = sealed(randomBytes(KEY_BYTES), secret)
  const [kept] = await store.write(async (tx) => {
    const row = { name: KEY_NAME, sealed: draft, created_at: now }
    await tx.insert(signingKeys).values(row).onConflictDoNothing()
    return tx.select().from(signingKeys).where(mine)
  })
  return unsealed(kept!.sealed, secret)
}

/** The row that holds a key in a database, for one that is restored. */
export const keyRow = (key: Uint8Array, secret: string | undefined, now: Date) => ({
  name: KEY_NAME,
  sealed: sealed(key, checked(secret)),
  created_at: now,
})

const derived = (secret: string, salt: Uint8Array) => scryptSync(secret, salt, 32)

/** Salt, nonce, tag and the encrypted key, in this order. */
function sealed(key: Uint8Array, secret: string): string {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)]
  const cipher = createCipheriv('aes-256-gcm', derived(secret, salt), nonce)
  const text = Buffer.concat([cipher.update(key), cipher.final()])
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), text]).toString('base64url')
}

function unsealed(text: string, secret: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64url')
  const part = (from: number, many: number) => bytes.subarray(from, from + many)
  const nonce = part(SALT_BYTES, NONCE_BYTES)
  const tag = part(SALT_BYTES + NONCE_BYTES, TAG_BYTES)
  try {
    const key = derived(secret, part(0, SALT_BYTES))
    const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    cipher.setAuthTag(tag)
    const rest = bytes.subarray(SALT_BYTES + NONCE_BYTES + TAG_BYTES)
    return Buffer.concat([cipher.update(rest), cipher.final()])
  } catch {
    throw new Unusable(
      'CORK_SECRET is not the one that the signing key in this database was encrypted with. Use that one: every server of a database has the same. If it is lost, delete the row in the table signing_keys; everybody then signs in again and makes new access tokens.',
    )
  }
}

/** The key in a data folder. */
function keyInFolder(dataDir: string): Uint8Array {
  const path = join(dataDir, 'signing.key')
  const bytes = attempt(path, () => read(path) ?? make(dataDir, path))
  if (bytes.byteLength !== KEY_BYTES)
    throw new Unusable(
      `The signing key at ${path} should be ${KEY_BYTES} bytes long but has ${bytes.byteLength}. Restore it from a backup, or delete it: everybody then signs in again and makes new access tokens.`,
    )
  return bytes
}

function read(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}

/** Written beside its place and linked into it: a crash leaves no half key, a race only one. */
function make(dataDir: string, path: string): Uint8Array {
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

function attempt<T>(path: string, job: () => T): T {
  try {
    return job()
  } catch (error) {
    throw new Unusable(
      `The signing key at ${path} cannot be used: ${(error as Error).message}. Check that the folder and the file belong to the account that runs Corkboard.`,
    )
  }
}
