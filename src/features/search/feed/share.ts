import type { Logger } from 'pino'
import type { Tx } from '../../../kernel/caller.ts'
import type { PassageKind } from '../../../kernel/outside.ts'
import type { Walked } from './place.ts'
import { KINDS, lastRef } from './texts.ts'

const EVERY_MS = 10_000

/** Tells whoever runs the server how far a long walk has come. */
export class Share {
  private told = performance.now()
  private isLong = false

  private constructor(
    private readonly last: ReadonlyMap<PassageKind, number>,
    private readonly log: Pick<Logger, 'info'>,
  ) {}

  static async of(tx: Tx, log: Pick<Logger, 'info'>): Promise<Share> {
    const last = new Map<PassageKind, number>()
    for (const kind of KINDS) last.set(kind, await lastRef(tx, kind))
    return new Share(last, log)
  }

  tell(walked: Walked) {
    const now = performance.now()
    if (now - this.told < EVERY_MS) return
    this.told = now
    this.isLong = true
    const percent = Math.floor(100 * this.done(walked))
    this.log.info({ percent }, `The search index is being built: ${percent} %`)
  }

  end() {
    if (this.isLong) this.log.info('The search index is built')
  }

  /** By numbers, of which some are gone. */
  private done({ kind, id }: Walked): number {
    let before = 0
    let all = 0
    for (const [one, last] of this.last) {
      if (KINDS.indexOf(one) < KINDS.indexOf(kind)) before += last
      all += last
    }
    return all ? Math.min(1, (before + id) / all) : 1
  }
}
