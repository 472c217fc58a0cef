import type { Tx } from '../kernel/caller.ts'
import { locks } from './tables.ts'

const name = 'readiness'

/** Writes a row to check that writes work; an empty transaction does not notice a full disk. */
export async function probeWrite(tx: Tx): Promise<void> {
  await tx.insert(locks).values({ name }).onConflictDoUpdate({ target: locks.name, set: { name } })
}
