import type { Logger } from 'pino'
import type { Store } from '../../../../../kernel/dispatch.ts'
import type {
  IndexUpdate,
  LogPosition,
  PassageIndex,
} from '../../../../../search/passage-index/types.ts'
import { changesSince } from '../../../../../store/log.ts'
import { batchesOf, refsFrom, SCAN_START, staleRefs } from './batches.ts'
import {
  isOfThisDatabase,
  newestPosition,
  positionAt,
  positionInScan,
  type ScanProgress,
  scanProgressOf,
} from './position.ts'
import { ProgressReporter } from './progress.ts'
import { staleTextsOf } from './stale-texts.ts'
import { loadTexts, type TextRef } from './texts.ts'

const BATCH = 200

export interface SyncOptions {
  store: Pick<Store, 'read'>
  index: Pick<PassageIndex, 'position' | 'apply' | 'clear'>
  log: Pick<Logger, 'info' | 'warn'>
}

/**
 * Copies texts from the database to the search index. The index stores its position in the change
 * log together with the texts, so interrupted work is repeated, which is idempotent.
 */
export class IndexSync {
  /** The index has reached the end of the log since the start or the last rebuild. */
  isCaughtUp = false

  constructor(
    private readonly options: SyncOptions,
    private readonly isStopped: () => boolean = () => false,
  ) {}

  /** Does one step. Returns true if nothing is left to do. */
  async step(): Promise<boolean> {
    const { store, index, log } = this.options
    const position = await index.position()
    if (position && (await store.read((tx) => isOfThisDatabase(tx, position)))) {
      const progress = scanProgressOf(position)
      return progress ? this.scanAll(position, progress, position) : this.followLog(position)
    }
    if (position) log.warn({}, 'The search index belongs to another database; rebuilding it')
    this.isCaughtUp = false
    await index.clear()
    return this.scanAll(await store.read(newestPosition), SCAN_START)
  }

  private async followLog(from: LogPosition): Promise<boolean> {
    const { store } = this.options
    const changes = await store.read((tx) => changesSince(tx, from.seq, BATCH))
    const last = changes.at(-1)
    if (last) {
      const position = await store.read((tx) => positionAt(tx, last.seq))
      const route = { from, positionAfter: () => undefined, end: position }
      await this.transfer(batchesOf(staleRefs(store, staleTextsOf(changes))), route)
    }
    const isLast = changes.length < BATCH
    if (isLast && !this.isStopped()) this.isCaughtUp = true
    return isLast
  }

  /** Scans all texts. Changes written meanwhile are followed afterwards. */
  private async scanAll(
    { seq }: LogPosition,
    progress: ScanProgress,
    from?: LogPosition,
  ): Promise<boolean> {
    const { store, log } = this.options
    const end = await store.read((tx) => positionAt(tx, seq))
    const reporter = await store.read((tx) => ProgressReporter.create(tx, log))
    const positionAfter = (last: TextRef): LogPosition => {
      reporter.report(last)
      return positionInScan(end, last)
    }
    await this.transfer(batchesOf(refsFrom(store, progress)), {
      from,
      positionAfter,
      end,
      isScan: true,
    })
    if (!this.isStopped()) reporter.end()
    return false
  }

  /** Transfers batch by batch. The last one carries the end position. */
  private async transfer(
    batches: AsyncIterable<TextRef[]>,
    { from, positionAfter, end, isScan = false }: Route,
  ): Promise<void> {
    const { store, index } = this.options
    let position = from
    const apply = async (batch: Batch) => {
      await index.apply({ ...batch, from: position, isScan })
      position = batch.position ?? position
    }
    let next: Batch = { put: [], deleted: [], position: undefined }
    for await (const refs of batches) {
      if (this.isStopped()) return
      if (next.put.length || next.deleted.length) await apply(next)
      const texts = await store.read((tx) => loadTexts(tx, refs))
      next = { ...texts, position: positionAfter(refs.at(-1)!) }
    }
    if (!this.isStopped()) await apply({ ...next, position: end })
  }
}

type Batch = Omit<IndexUpdate, 'from'>

/** Start and end positions of a transfer. */
interface Route {
  from: LogPosition | undefined
  /** The position after a text; undefined if it does not change in between. */
  positionAfter(last: TextRef): LogPosition | undefined
  end: LogPosition
  isScan?: boolean
}
