import type { Tx } from '../kernel/caller.ts'
import { hasConcurrentWriters } from './columns.ts'
import { locks } from './tables.ts'

/** Other transactions that take the same lock wait until this one ends. */
export async function lock(tx: Tx, name: string): Promise<void> {
  if (!hasConcurrentWriters) return
  await tx.insert(locks).values({ name }).onConflictDoUpdate({ target: locks.name, set: { name } })
}
