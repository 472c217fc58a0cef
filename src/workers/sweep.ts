import type { Logger } from 'pino'
import { withoutRow } from '../features/files/index.ts'
import type { Store } from '../kernel/dispatch.ts'
import type { FileStore } from '../kernel/outside.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The first requests after a start have the disk to themselves. */
const PACE = { soon: 10_000, hourly: 60 * 60 * 1000 }
const BATCH = 200

export interface Swept {
  store: Pick<Store, 'read'>
  files: FileStore
}

/**
 * Takes away the bytes that no attachment has any more, or never had: a day is longer than any
 * call takes between keeping bytes and committing their row.
 */
export async function sweepFiles({ store, files }: Swept, now: Date): Promise<number> {
  const before = new Date(now.getTime() - DAY_MS)
  let gone = 0
  const look = async (old: readonly string[]) => {
    for (const sha256 of await store.read((tx) => withoutRow(tx, old)))
      if (await files.remove(sha256, before)) gone++
  }
  let batch: string[] = []
  for await (const { sha256, kept_at } of files.all()) {
    if (kept_at < before) batch.push(sha256)
    if (batch.length < BATCH) continue
    await look(batch)
    batch = []
  }
  await look(batch)
  return gone
}

interface Sweeping extends Swept {
  log: Logger
  /** True while a database is kept that may still know of bytes which this one does not. */
  spares(): boolean
  /** In milliseconds. */
  pace?: typeof PACE
}

/** Soon after the start, and every hour from then on. */
export function sweepHourly({ log, spares, pace = PACE, ...parts }: Sweeping) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = Promise.resolve()
  const later = (ms: number) => {
    timer = setTimeout(() => {
      running = sweep()
      later(pace.hourly)
    }, ms)
    timer.unref()
  }
  async function sweep() {
    if (spares()) return
    try {
      const gone = await sweepFiles(parts, new Date())
      if (gone) log.info({ files: gone }, 'took away files that nothing refers to')
    } catch (error) {
      log.error({ err: error }, `files could not be swept in ${parts.files.place}`)
    }
  }
  later(pace.soon)
  return async () => {
    clearTimeout(timer)
    await running
  }
}
