import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { authenticatorApps, passkeys } from './tables.ts'

export interface FactorSummary {
  passkeys: number
  app: boolean
}

/** The second factors of a person. An app counts once its first code was entered. */
export async function factorsOf(tx: Tx, actor_id: number): Promise<FactorSummary> {
  const keys = await tx
    .select({ passkey_id: passkeys.passkey_id })
    .from(passkeys)
    .where(eq(passkeys.actor_id, actor_id))
  const [app] = await tx
    .select({ actor_id: authenticatorApps.actor_id })
    .from(authenticatorApps)
    .where(and(eq(authenticatorApps.actor_id, actor_id), isNotNull(authenticatorApps.confirmed_at)))
  return { passkeys: keys.length, app: app !== undefined }
}

/** Whether a person has a passkey or a confirmed authenticator app. */
export async function hasFactor(tx: Tx, actor_id: number): Promise<boolean> {
  const { passkeys, app } = await factorsOf(tx, actor_id)
  return passkeys > 0 || app
}
