import { randomBytes, timingSafeEqual } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jwtVerify, SignJWT } from 'jose'
import { Fault } from '../../kernel/fault.ts'
import { Unusable } from '../../store/migrate.ts'

const ISSUER = 'corkboard'
const KEY_BYTES = 32

/** Signs and reads the tokens of this installation. */
export class SigningKey {
  constructor(private readonly secret: Uint8Array) {}

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

/** The key of this data folder, made when it is first asked for. */
export function openKey(dataDir: string): SigningKey {
  const path = join(dataDir, 'signing.key')
  const bytes = attempt(path, () => read(path) ?? make(dataDir, path))
  if (bytes.byteLength !== KEY_BYTES)
    throw new Unusable(
      `The signing key at ${path} should be ${KEY_BYTES} bytes long but has ${bytes.byteLength}. Restore it from a backup, or delete it: everybody then signs in again and makes new access tokens.`,
    )
  return new SigningKey(bytes)
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
