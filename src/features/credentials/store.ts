import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Scope, Tx } from '../../kernel/caller.ts'
import { credentials } from './tables.ts'

export type Credential = typeof credentials.$inferSelect
export type CredentialKind = Credential['kind']

/** Long random secrets need no slow hash; one lookup by hash finds the row. */
export const hashOf = (secret: string) =>
  new Bun.CryptoHasher('sha256').update(secret).digest('base64url')

const PREFIX: Record<CredentialKind, string> = {
  key: 'cork_',
  agent: 'corkagent_',
  token: '',
  session: '',
}

export const newSecret = (kind: CredentialKind) =>
  PREFIX[kind] + randomBytes(32).toString('base64url')

export interface NewCredential {
  kind: CredentialKind
  actor_id: number
  name: string
  secret: string
  scopes: Scope[] | null
  expires_at: Date | null
}

export async function keepCredential(tx: Tx, credential: NewCredential, now: Date) {
  const { secret, ...rest } = credential
  const prefix = secret.slice(0, PREFIX[credential.kind].length + 6)
  const [row] = await tx
    .insert(credentials)
    .values({ ...rest, hash: hashOf(secret), prefix, created_at: now })
    .returning()
  return row!
}
/** `credential` is a caller's `kind:id`. */
export async function markUsed(tx: Tx, credential: string, now: Date): Promise<void> {
  const credential_id = Number(credential.split(':')[1])
  await tx
    .update(credentials)
    .set({ last_used_at: now })
    .where(eq(credentials.credential_id, credential_id))
}
