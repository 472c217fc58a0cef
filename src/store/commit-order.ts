import { count, gt, max, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import type { Tx } from '../kernel/caller.ts'
import { changes } from './tables.ts'

/** Most gaps are filled sooner, by a transaction that commits. */
const RECHECK_MS = 250
/** Longer than any transaction may last; used if the server does not show its locks. */
const MAX_TRANSACTION_MS = 120_000

interface Gap {
  newest: number
  seenAt: number
  /** The transactions that may still fill it. */
  writers?: Set<string>
}

/**
 * Each insert locks the table before it takes a number, and its transaction keeps the lock until its
 * end. Transactions that write only to other tables or databases are not among these.
 */
const HOLDS_LOCK_OF_INSERT = sql`
  locktype = 'relation' and mode = 'RowExclusiveLock' and relation = 'changes'::regclass
  and database = (select oid from pg_database where datname = current_database())`

/**
 * On PostgreSQL, transactions take their numbers in the change log before they commit, so a higher
 * number may become visible before a lower one. Readers get only settled rows, which no lower
 * number can follow: those before the first gap, and those beyond a gap once all transactions that
 * could fill it have ended.
 */
export class CommitOrder {
  /** Called when the rows beyond a gap may have become settled. */
  onRecheck = () => {}
  private gap: Gap | undefined
  private timer: Timer | undefined
  private closed = false

  constructor(
    private settledSeq: number,
    private readonly showsLocks: boolean,
  ) {}

  /** Starts at the highest position of a follower, because only settled rows get there. */
  static async open(pool: Pool): Promise<CommitOrder> {
    const { rows } = await pool.query('select max(seq) as seq from followers')
    const ownLocks = 'select from pg_locks where pid = pg_backend_pid() and mode = $1'
    const showsLocks = await pool.query(ownLocks, ['AccessShareLock']).then(
      ({ rowCount }) => rowCount! > 0,
      () => false,
    )
    return new CommitOrder(Number(rows[0]?.seq ?? 0), showsLocks)
  }

  close() {
    this.closed = true
    clearTimeout(this.timer)
  }

  /** The settled rows after `from`. */
  async settledRows<R extends { seq: number }>(
    tx: Tx,
    from: number,
    read: () => Promise<R[]>,
  ): Promise<R[]> {
    // Another reader may settle rows during this read that were not visible when it began.
    const settledBefore = this.settledSeq
    const rows = await read()
    const settledCount = this.countSettled(from, rows, settledBefore)
    if (settledCount === rows.length) return rows
    if (!(await this.isGapSettled(tx))) return rows.slice(0, settledCount)
    // Read again: all transactions that could fill the gap ended before this statement began.
    const settledNow = this.settledSeq
    const final = await read()
    return final.slice(0, this.countSettled(from, final, settledNow))
  }

  /** The highest settled number. */
  async newestSettled(tx: Tx): Promise<number> {
    const settledBefore = this.settledSeq
    const [row] = await tx
      .select({ many: count(), newest: max(changes.seq) })
      .from(changes)
      .where(gt(changes.seq, settledBefore))
    const newest = row?.newest ?? settledBefore
    const isGapless = newest - settledBefore === row?.many
    if (isGapless) this.settledSeq = Math.max(this.settledSeq, newest)
    else if (newest > this.settledSeq && (await this.isGapSettled(tx)))
      return this.newestSettled(tx)
    return this.settledSeq
  }

  /** `settledBefore` is what was settled when the read of these rows began. */
  private countSettled(
    from: number,
    rows: readonly { seq: number }[],
    settledBefore: number,
  ): number {
    let settledCount = 0
    let before = from
    for (const { seq } of rows) {
      if (seq !== before + 1 && seq - 1 > settledBefore) break
      before = seq
      settledCount++
    }
    if (from <= settledBefore && before > this.settledSeq) this.settledSeq = before
    return settledCount
  }

  /** Whether everything that was visible when the gap was first seen is settled now. */
  private async isGapSettled(tx: Tx): Promise<boolean> {
    this.scheduleRecheck()
    const now = performance.now()
    const { gap } = this
    if (!gap || gap.newest <= this.settledSeq) {
      const [row] = await tx.select({ newest: max(changes.seq) }).from(changes)
      this.gap = { newest: row?.newest ?? 0, seenAt: now }
      return false
    }
    const age = now - gap.seenAt
    if (age < RECHECK_MS || !(await this.hasEnded(tx, gap, age))) return false
    this.settledSeq = Math.max(this.settledSeq, gap.newest)
    return true
  }

  private async hasEnded(tx: Tx, gap: Gap, age: number): Promise<boolean> {
    if (!this.showsLocks) return age > MAX_TRANSACTION_MS
    const locks = await tx
      .select({ writer: sql<string>`virtualtransaction` })
      .from(sql`pg_locks`)
      .where(HOLDS_LOCK_OF_INSERT)
    const running = new Set(locks.map(({ writer }) => writer))
    gap.writers ??= running
    return gap.writers.isDisjointFrom(running)
  }

  private scheduleRecheck() {
    if (this.closed || this.timer) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.onRecheck()
    }, RECHECK_MS)
    this.timer.unref()
  }
}

type SettledReads = Pick<CommitOrder, 'settledRows' | 'newestSettled'>

const refuse = () => Promise.reject(new Error('Only the primary knows which changes are settled'))

/** For a replica, which cannot tell which transactions of the primary are still running. */
export const primaryOnly: SettledReads = { settledRows: refuse, newestSettled: refuse }

const commitOrders = new WeakMap<Tx, SettledReads>()

/** From now on, reads of the change log through this handle return only settled rows. */
export const setCommitOrder = (tx: Tx, commitOrder: SettledReads) =>
  void commitOrders.set(tx, commitOrder)

/** Undefined for SQLite, whose single writer makes numbers visible in order. */
export const commitOrderOf = (tx: Tx): SettledReads | undefined => commitOrders.get(tx)
