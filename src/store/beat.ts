import type { Tx } from '../kernel/caller.ts'
import { locks } from './tables.ts'

const name = 'readiness'

/** Writes something for real: an empty transaction never meets a full disk. */
export async function beat(tx: Tx): Promise<void> {
  await tx.insert(locks).values({ name }).onConflictDoUpdate({ target: locks.name, set: { name } })
}
