import { and, asc, count, eq, isNull, lt, lte, or } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { lockPerson } from './lock-person.ts'
import { MAX_PASSKEYS } from './schema.ts'
import { passkeys } from './tables.ts'
import type { CheckedAssertion } from './webauthn.ts'

export type PasskeyRow = typeof passkeys.$inferSelect

export const passkeysOf = (tx: Tx, actor_id: number): Promise<PasskeyRow[]> =>
  tx
    .select()
    .from(passkeys)
    .where(eq(passkeys.actor_id, actor_id))
    .orderBy(asc(passkeys.passkey_id))

/** Finds a passkey by the id that its authenticator gave it. */
export async function passkeyByWebauthnId(tx: Tx, webauthn_id: string): Promise<PasskeyRow> {
  const [row] = await tx.select().from(passkeys).where(eq(passkeys.webauthn_id, webauthn_id))
  if (row) return row
  throw new Fault(
    'forbidden',
    'This passkey is not known here',
    {},
    'It may have been removed from the account. Use another way',
  )
}

type NewRow = Omit<typeof passkeys.$inferInsert, 'passkey_id' | 'created_at' | 'last_used_at'>

export async function insertPasskey(tx: Tx, passkey: NewRow, now: Date): Promise<PasskeyRow> {
  await lockPerson(tx, passkey.actor_id)
  const [row] = await tx
    .select({ passkeys: count() })
    .from(passkeys)
    .where(eq(passkeys.actor_id, passkey.actor_id))
  if (row!.passkeys >= MAX_PASSKEYS)
    throw fault.conflict(
      `You already have ${MAX_PASSKEYS} passkeys, which is the maximum`,
      { limit: MAX_PASSKEYS },
      'Remove one that you no longer use, then add this one',
    )
  const values = { ...passkey, created_at: now }
  const [created] = await tx.insert(passkeys).values(values).onConflictDoNothing().returning()
  if (!created) throw fault.conflict('This passkey is already registered')
  return created
}

const ownPasskey = (actor_id: number, passkey_id: number) =>
  and(eq(passkeys.actor_id, actor_id), eq(passkeys.passkey_id, passkey_id))

export async function renamePasskey(
  tx: Tx,
  actor_id: number,
  passkey_id: number,
  name: string,
): Promise<void> {
  const changed = await tx
    .update(passkeys)
    .set({ name })
    .where(ownPasskey(actor_id, passkey_id))
    .returning()
  if (!changed.length) throw noPasskey(passkey_id)
}

export async function deletePasskey(
  tx: Tx,
  actor_id: number,
  passkey_id: number,
): Promise<PasskeyRow> {
  const [row] = await tx.delete(passkeys).where(ownPasskey(actor_id, passkey_id)).returning()
  if (!row) throw noPasskey(passkey_id)
  return row
}

const noPasskey = (passkey_id: number) =>
  fault.notFound(
    'passkey_id',
    `You have no passkey ${passkey_id}`,
    passkey_id,
    'It may have been removed already',
  )

/**
 * Records the use of a passkey. The challenge must be newer than the last use, and the counter must
 * not go back, so that the same answer is never accepted twice, on whatever server.
 */
export async function usePasskey(
  tx: Tx,
  { passkey_id, counter, issued_at }: CheckedAssertion,
  now: Date,
): Promise<void> {
  const used = await tx
    .update(passkeys)
    .set({ counter, last_used_at: now })
    .where(
      and(
        eq(passkeys.passkey_id, passkey_id),
        lte(passkeys.counter, counter),
        or(isNull(passkeys.last_used_at), lt(passkeys.last_used_at, issued_at)),
      ),
    )
    .returning({ passkey_id: passkeys.passkey_id })
  if (!used.length)
    throw new Fault('forbidden', 'This answer of a passkey was used before', {}, 'Try again')
}
