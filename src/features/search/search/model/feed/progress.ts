import type { Logger } from 'pino'
import type { Tx } from '../../../../../kernel/caller.ts'
import type { PassageKind } from '../../../../../kernel/services.ts'
import type { ScanProgress } from './position.ts'
import { KINDS, lastRef } from './texts.ts'

const INTERVAL_MS = 10_000

/** Logs the progress of a long scan. */
export class ProgressReporter {
  private lastReport = performance.now()
  private isLong = false

  private constructor(
    private readonly last: ReadonlyMap<PassageKind, number>,
    private readonly log: Pick<Logger, 'info'>,
  ) {}

  static async create(tx: Tx, log: Pick<Logger, 'info'>): Promise<ProgressReporter> {
    const last = new Map<PassageKind, number>()
    for (const kind of KINDS) last.set(kind, await lastRef(tx, kind))
    return new ProgressReporter(last, log)
  }

  report(progress: ScanProgress) {
    const now = performance.now()
    if (now - this.lastReport < INTERVAL_MS) return
    this.lastReport = now
    this.isLong = true
    const percent = Math.floor(100 * this.shareDone(progress))
    this.log.info({ percent }, `Building the search index: ${percent}%`)
  }

  end() {
    if (this.isLong) this.log.info('The search index is complete')
  }

  /** The share that is done, estimated by ids, some of which no longer exist. */
  private shareDone({ kind, id }: ScanProgress): number {
    let before = 0
    let total = 0
    for (const [current, last] of this.last) {
      if (KINDS.indexOf(current) < KINDS.indexOf(kind)) before += last
      total += last
    }
    return total ? Math.min(1, (before + id) / total) : 1
  }
}
