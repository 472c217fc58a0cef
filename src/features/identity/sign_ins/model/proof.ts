import { eq } from 'drizzle-orm'
import type { Caller, Tx } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { credentialIdOf, credentials } from '../../credentials/model/index.ts'
import { signIns } from './tables.ts'

/** How long a proof of identity is recent enough for actions that cannot be undone. */
const RECENT_MS = 10 * 60_000

/** Keys and tokens belong to programs, which may not manage how a person signs in. */
export function requireBrowser({ credential }: Caller): void {
  if (!credential.startsWith('session:'))
    throw fault.forbidden(
      'This requires a browser session. Keys and tokens cannot do it',
      'Sign in at /sign-in and open the settings',
    )
}

/** Throws unless the caller proved who they are in this browser a short while ago. */
export async function requireRecentProof(tx: Tx, caller: Caller, now: Date): Promise<void> {
  requireBrowser(caller)
  const [row] = await tx
    .select({ verified_at: signIns.verified_at })
    .from(credentials)
    .innerJoin(signIns, eq(signIns.sign_in_id, credentials.sign_in_id))
    .where(eq(credentials.credential_id, credentialIdOf(caller.credential)))
  if (row && now.getTime() - row.verified_at.getTime() < RECENT_MS) return
  throw new Fault(
    'forbidden',
    'Confirm that it is you before you do this',
    { verification: 'required' },
    'Enter your password, or use a passkey or your authenticator app, and try again',
  )
}

/** Remembers that the person of this session has just proved who they are. */
export async function markVerified(tx: Tx, { credential }: Caller, now: Date): Promise<void> {
  const [row] = await tx
    .select({ sign_in_id: credentials.sign_in_id })
    .from(credentials)
    .where(eq(credentials.credential_id, credentialIdOf(credential)))
  const sign_in_id = row?.sign_in_id
  if (sign_in_id)
    await tx.update(signIns).set({ verified_at: now }).where(eq(signIns.sign_in_id, sign_in_id))
}
