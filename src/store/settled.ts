import { count, gt, max, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import type { Tx } from '../kernel/caller.ts'
import { changes } from './tables.ts'

/** Between taking a number and getting an xid lies less than this, by far. */
const MOMENT_MS = 250
/** Where nobody can ask who is still writing: longer than any transaction may last here. */
const LONGEST_MS = 120_000

interface Suspect {
  newest: number
  since: number
  xmax?: bigint
}

/**
 * A server's transactions take their numbers in the change log before they commit, so a higher
 * number may be seen before a lower one. Readers are given what no lower number can follow any
 * more: the gapless run, and what is beyond a gap once every transaction is over that could have
 * filled it.
 */
export class Settled {
  /** Called when it is worth looking again. */
  again = () => {}
  private suspect: Suspect | undefined
  private timer: Timer | undefined
  private closed = false

  constructor(
    private upTo: number,
    private readonly snapshots: boolean,
  ) {}

  /** A follower's place was settled when it was written. */
  static async since(pool: Pool): Promise<Settled> {
    const { rows } = await pool.query('select max(seq) as seq from followers')
    const snapshots = await pool.query('select pg_current_snapshot()').then(
      () => true,
      () => false,
    )
    return new Settled(Number(rows[0]?.seq ?? 0), snapshots)
  }

  close() {
    this.closed = true
    clearTimeout(this.timer)
  }

  /** Of the rows after `from`, as many as are settled. */
  async among<R extends { seq: number }>(
    tx: Tx,
    from: number,
    read: () => Promise<R[]>,
  ): Promise<R[]> {
    const rows = await read()
    const many = this.gapless(from, rows)
    if (many === rows.length) return rows
    if (!(await this.resolved(tx))) return rows.slice(0, many)
    // Read again: what is missing now has had its last chance before this statement began.
    const final = await read()
    return final.slice(0, this.gapless(from, final))
  }

  /** The highest number that no lower one can follow. */
  async newest(tx: Tx): Promise<number> {
    const [row] = await tx
      .select({ many: count(), newest: max(changes.seq) })
      .from(changes)
      .where(gt(changes.seq, this.upTo))
    const newest = row?.newest ?? this.upTo
    const isGapless = newest - this.upTo === row?.many
    if (isGapless) this.upTo = newest
    else if (newest > this.upTo && (await this.resolved(tx))) return this.newest(tx)
    return this.upTo
  }

  private gapless(from: number, rows: readonly { seq: number }[]): number {
    let many = 0
    let before = from
    for (const { seq } of rows) {
      if (seq !== before + 1 && seq - 1 > this.upTo) break
      before = seq
      many++
    }
    if (from <= this.upTo && before > this.upTo) this.upTo = before
    return many
  }

  /** Whether all that was visible when a gap was first met is settled by now. */
  private async resolved(tx: Tx): Promise<boolean> {
    this.lookAgain()
    const now = performance.now()
    const { suspect } = this
    if (!suspect || suspect.newest <= this.upTo) {
      const [row] = await tx.select({ newest: max(changes.seq) }).from(changes)
      this.suspect = { newest: row?.newest ?? 0, since: now }
      return false
    }
    const age = now - suspect.since
    if (age < MOMENT_MS || !(await this.isOver(tx, suspect, age))) return false
    this.upTo = Math.max(this.upTo, suspect.newest)
    return true
  }

  private async isOver(tx: Tx, suspect: Suspect, age: number): Promise<boolean> {
    if (!this.snapshots) return age > LONGEST_MS
    const [shot] = await tx
      .select({
        xmin: sql<string>`pg_snapshot_xmin(shot)`,
        xmax: sql<string>`pg_snapshot_xmax(shot)`,
      })
      .from(sql`pg_current_snapshot() as shot`)
    const { xmin, xmax } = shot!
    if (suspect.xmax !== undefined) return BigInt(xmin) >= suspect.xmax
    suspect.xmax = BigInt(xmax)
    return false
  }

  private lookAgain() {
    if (this.closed || this.timer) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.again()
    }, MOMENT_MS)
    this.timer.unref()
  }
}

const known = new WeakMap<Tx, Settled>()

/** From now on the log is read through this handle with care. */
export const settle = (tx: Tx, settled: Settled) => void known.set(tx, settled)

/** Nothing for a database that has one writer: there numbers are seen in their order. */
export const settledOf = (tx: Tx): Settled | undefined => known.get(tx)
