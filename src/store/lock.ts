import type { Tx } from '../kernel/caller.ts'
import { manyWriters } from './columns.ts'
import { locks } from './tables.ts'

/** Whoever takes the same lock waits until this transaction ends. */
export async function lock(tx: Tx, name: string): Promise<void> {
  if (!manyWriters) return
  await tx.insert(locks).values({ name }).onConflictDoUpdate({ target: locks.name, set: { name } })
}
