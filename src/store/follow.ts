import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../kernel/caller.ts'
import { changesSince, type Logged } from './log.ts'
import { param, prepared } from './prepared.ts'
import type { OpenStore } from './store.ts'
import { followers } from './tables.ts'

const BATCH = 200
const POLL_MS = 1000
/** Under load, one look at many changes costs writers less than many looks at one. */
const GATHER_MS = 30

/**
 * Reads the change log in order and keeps its place in the database, in the transaction of what it
 * did: after a crash it goes on where it was, and nothing is handled twice.
 */
export function follow(
  store: OpenStore,
  name: string,
  handle: (tx: Tx, changes: readonly Logged[]) => Promise<void>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  let stopped = false
  let again = true
  let running: Promise<void> | undefined
  const pump = async () => {
    try {
      while (again && !stopped) {
        await Bun.sleep(GATHER_MS)
        again = false
        while (!stopped && (await step(store, name, handle)) === BATCH);
      }
    } catch (error) {
      failed(error)
    }
    running = undefined
  }
  const wake = () => {
    again = true
    running ??= pump()
  }
  const deaf = store.onCommit(wake)
  // Other processes write too, and a failed batch is tried again.
  const timer = setInterval(wake, POLL_MS)
  wake()
  return async () => {
    stopped = true
    deaf()
    clearInterval(timer)
    await running
  }
}

const statements = prepared((tx) => {
  const own = eq(followers.name, param('name'))
  return {
    read: tx.select().from(followers).where(own).prepare('follower_read'),
    take: tx
      .insert(followers)
      .values({ name: param('name'), seq: 0 })
      .onConflictDoUpdate({ target: followers.name, set: { name: sql`excluded.name` } })
      .returning()
      .prepare('follower_take'),
    put: tx
      .update(followers)
      .set({ seq: param('seq') })
      .where(own)
      .prepare('follower_put'),
  }
})

/** Handles what comes next, and answers how many changes that were. */
export async function step(
  store: OpenStore,
  name: string,
  handle: Parameters<typeof follow>[2],
): Promise<number> {
  const seen = await store.read((tx) => ahead(tx, name))
  if (!seen) return 0
  return store.write(async (tx) => {
    const batch = await changesSince(tx, await taken(tx, name), BATCH)
    if (!batch.length) return 0
    await handle(tx, batch)
    await statements(tx).put.execute({ name, seq: batch.at(-1)!.seq })
    return batch.length
  })
}

/** Its row is written before it is read: another process that follows the same waits here. */
async function taken(tx: Tx, name: string): Promise<number> {
  const [row] = await statements(tx).take.execute({ name })
  return row!.seq
}

async function placeOf(tx: Tx, name: string): Promise<number> {
  const [row] = await statements(tx).read.execute({ name })
  return row?.seq ?? 0
}

const ahead = async (tx: Tx, name: string) =>
  (await changesSince(tx, await placeOf(tx, name), 1)).length > 0
