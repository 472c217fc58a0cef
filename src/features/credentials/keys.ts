import { jwtVerify, SignJWT } from 'jose'
import { Fault } from '../../kernel/fault.ts'

const ISSUER = 'corkboard'

/** Signs and reads the tokens of this installation. */
export class SigningKey {
  constructor(private readonly secret: Uint8Array) {}

  sign(claims: Record<string, unknown>): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(ISSUER)
      .sign(this.secret)
  }

  /** The token's own id, by which its row is found. Expiry is judged by the row. */
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
          'This token has expired',
          {},
          'Sign in and make a new one in the MCP section of the settings',
        )
    }
    throw new Fault(
      'unauthenticated',
      'This token is not one that this server signed',
      {},
      'Copy it again, whole, from the settings',
    )
  }

  /** A short proof that this installation wrote a text. */
  seal(text: string): string {
    return new Bun.CryptoHasher('sha256', this.secret).update(text).digest('base64url')
  }
}
