import type { Logger } from 'pino'
import { unreferencedFiles } from '../features/tasks/files/model/index.ts'
import type { Store } from '../kernel/dispatch.ts'
import type { FileStore } from '../kernel/services.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The first sweep waits, so that requests after a start have the disk to themselves. */
const DELAYS_MS = { soon: 10_000, hourly: 60 * 60 * 1000 }
const BATCH = 200

export interface FileSweep {
  store: Pick<Store, 'read'>
  files: FileStore
}

/**
 * Removes files that no attachment refers to. Newer files are spared for a day, which is longer
 * than any call takes between storing bytes and committing their row.
 */
export async function sweepFiles({ store, files }: FileSweep, now: Date): Promise<number> {
  const before = new Date(now.getTime() - DAY_MS)
  let removedCount = 0
  const removeUnused = async (hashes: readonly string[]) => {
    for (const sha256 of await store.read((tx) => unreferencedFiles(tx, hashes)))
      if (await files.remove(sha256, before)) removedCount++
  }
  let batch: string[] = []
  for await (const { sha256, kept_at } of files.list()) {
    if (kept_at < before) batch.push(sha256)
    if (batch.length < BATCH) continue
    await removeUnused(batch)
    batch = []
  }
  await removeUnused(batch)
  return removedCount
}

interface FileSweepOptions extends FileSweep {
  log: Logger
  /** True while a kept copy of the database may refer to files that the current one does not. */
  isPaused(): boolean
  /** In milliseconds. */
  pace?: typeof DELAYS_MS
}

/** Sweeps soon after the start, and then every hour. */
export function sweepHourly({ log, isPaused, pace = DELAYS_MS, ...parts }: FileSweepOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = Promise.resolve()
  const schedule = (ms: number) => {
    timer = setTimeout(() => {
      running = sweep()
      schedule(pace.hourly)
    }, ms)
    timer.unref()
  }
  async function sweep() {
    if (isPaused()) return
    try {
      const removedCount = await sweepFiles(parts, new Date())
      if (removedCount) log.info({ files: removedCount }, 'removed files that nothing refers to')
    } catch (error) {
      log.error({ err: error }, `could not clean up files in ${parts.files.location}`)
    }
  }
  schedule(pace.soon)
  return async () => {
    clearTimeout(timer)
    await running
  }
}
