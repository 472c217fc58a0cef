import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../kernel/caller.ts'
import { changesSince, type LoggedChange } from './log.ts'
import { param, prepared } from './prepared.ts'
import type { OpenStore } from './store.ts'
import { followers } from './tables.ts'

const BATCH = 200
const POLL_MS = 1000
/** Under load, reading many changes at once delays writers less than reading each alone. */
const GATHER_MS = 30

/**
 * Reads the change log in order and stores its position in the transaction that handles the
 * changes. After a crash it continues there, so that no change is handled twice.
 */
export function follow(
  store: OpenStore,
  name: string,
  handle: (tx: Tx, changes: readonly LoggedChange[]) => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let stopped = false
  let isWoken = true
  let running: Promise<void> | undefined
  const run = async () => {
    try {
      while (isWoken && !stopped) {
        await Bun.sleep(GATHER_MS)
        isWoken = false
        while (!stopped && (await handleBatch(store, name, handle)) === BATCH);
      }
    } catch (error) {
      onError(error)
    }
    running = undefined
  }
  const wake = () => {
    isWoken = true
    running ??= run()
  }
  const unsubscribe = store.onCommit(wake)
  // The timer notices writes of other processes and retries a failed batch.
  const timer = setInterval(wake, POLL_MS)
  wake()
  return async () => {
    stopped = true
    unsubscribe()
    clearInterval(timer)
    await running
  }
}

const statements = prepared((tx) => {
  const byName = eq(followers.name, param('name'))
  return {
    read: tx.select().from(followers).where(byName).prepare('follower_read'),
    take: tx
      .insert(followers)
      .values({ name: param('name'), seq: 0 })
      .onConflictDoUpdate({ target: followers.name, set: { name: sql`excluded.name` } })
      .returning()
      .prepare('follower_take'),
    put: tx
      .update(followers)
      .set({ seq: param('seq') })
      .where(byName)
      .prepare('follower_put'),
  }
})

/** Handles the next batch and returns the number of changes in it. */
export async function handleBatch(
  store: OpenStore,
  name: string,
  handle: Parameters<typeof follow>[2],
): Promise<number> {
  const isBehind = await store.read((tx) => hasNewChanges(tx, name))
  if (!isBehind) return 0
  return store.write(async (tx) => {
    const batch = await changesSince(tx, await lockPosition(tx, name), BATCH)
    if (!batch.length) return 0
    await handle(tx, batch)
    await statements(tx).put.execute({ name, seq: batch.at(-1)!.seq })
    return batch.length
  })
}

/** Writes the follower's row before reading it, so that another process of it waits here. */
async function lockPosition(tx: Tx, name: string): Promise<number> {
  const [row] = await statements(tx).take.execute({ name })
  return row!.seq
}

async function readPosition(tx: Tx, name: string): Promise<number> {
  const [row] = await statements(tx).read.execute({ name })
  return row?.seq ?? 0
}

const hasNewChanges = async (tx: Tx, name: string) =>
  (await changesSince(tx, await readPosition(tx, name), 1)).length > 0
