import type { SigningKey } from '../../credentials/model/index.ts'

/**
 * A refresh token is not stored. It names a grant and a generation, under a seal that only this
 * server can make, and the row of the grant says which generation is the newest.
 */
export interface RefreshToken {
  grant_id: number
  generation: number
}

const PURPOSE = 'refresh'
const FORMAT = /^corkrefresh_(\d{1,10})\.(\d{1,10})\.([\w-]{43})$/

export function refreshToken(key: SigningKey, { grant_id, generation }: RefreshToken): string {
  const text = `${grant_id}.${generation}`
  return `corkrefresh_${text}.${key.seal(PURPOSE, text)}`
}

/** Reads a refresh token; undefined if this server did not make it. */
export function parseRefreshToken(key: SigningKey, token: string): RefreshToken | undefined {
  const [, grant_id = '', generation = '', seal = ''] = FORMAT.exec(token) ?? []
  if (!seal || !key.sealed(PURPOSE, `${grant_id}.${generation}`, seal)) return undefined
  return { grant_id: Number(grant_id), generation: Number(generation) }
}
