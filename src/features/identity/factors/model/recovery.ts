import { randomBytes } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { hashOf } from '../../credentials/model/index.ts'
import { lockPerson } from './lock-person.ts'
import { RECOVERY_CODES } from './schema.ts'
import { recoveryCodes } from './tables.ts'

/** Crockford's alphabet: no letters that look like a digit, and no U. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 bits, so that a plain hash protects a code as well as a slow one would. */
const LENGTH = 16
const GROUP = /.{4}(?=.)/g

const newCode = () =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => newCode().replace(GROUP, '$&-'))

/** Reads a code as people type it: in capitals, with blanks, with O for 0. */
export function parseRecoveryCode(text: string): string | undefined {
  const code = text.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return code.length === LENGTH && [...code].every((one) => ALPHABET.includes(one))
    ? code
    : undefined
}

const hashOfCode = (actor_id: number, code: string) => hashOf(`${actor_id}:${code}`)

/** Replaces all recovery codes of a person. */
export async function replaceRecoveryCodes(
  tx: Tx,
  actor_id: number,
  codes: readonly string[],
  now: Date,
): Promise<void> {
  await lockPerson(tx, actor_id)
  await deleteRecoveryCodes(tx, actor_id)
  const rows = codes.map((code) => ({
    actor_id,
    hash: hashOfCode(actor_id, parseRecoveryCode(code)!),
    created_at: now,
  }))
  await tx.insert(recoveryCodes).values(rows)
}

export const deleteRecoveryCodes = (tx: Tx, actor_id: number) =>
  tx.delete(recoveryCodes).where(eq(recoveryCodes.actor_id, actor_id))

/** Uses up a recovery code; false if it is unknown or was used before. */
export async function useRecoveryCode(
  tx: Tx,
  actor_id: number,
  code: string,
  now: Date,
): Promise<boolean> {
  const used = await tx
    .update(recoveryCodes)
    .set({ used_at: now })
    .where(
      and(
        eq(recoveryCodes.actor_id, actor_id),
        eq(recoveryCodes.hash, hashOfCode(actor_id, code)),
        isNull(recoveryCodes.used_at),
      ),
    )
    .returning({ code_id: recoveryCodes.code_id })
  return used.length > 0
}

/** The number of unused codes, and when all were created. */
export async function recoveryCodesOf(tx: Tx, actor_id: number) {
  const rows = await tx.select().from(recoveryCodes).where(eq(recoveryCodes.actor_id, actor_id))
  const [first] = rows
  return (
    first && { left: rows.filter(({ used_at }) => !used_at).length, created_at: first.created_at }
  )
}
