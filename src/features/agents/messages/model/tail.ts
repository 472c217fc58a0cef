import { and, asc, gt, inArray, lte } from 'drizzle-orm'
import type { Server, Tx } from '../../../../kernel/caller.ts'
import { type LoggedChange, lastSeq } from '../../../../store/log.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { changes } from '../../../../store/tables.ts'
import { EVENTS } from './rules.ts'

/** Shorter than any long poll waits after a commit before it reads again. */
const MAX_AGE_MS = 20
/** A larger gap is not read into the cache. */
const MAX_READ = 500
const MAX_KEPT = 1000

const changesBetween = prepared((tx) =>
  tx
    .select()
    .from(changes)
    .where(
      and(
        gt(changes.seq, param('from')),
        lte(changes.seq, param('end')),
        inArray(changes.type, [...EVENTS]),
      ),
    )
    .orderBy(asc(changes.seq))
    .prepare('messages_tail'),
)

/**
 * Caches the newest events of the log for all agents of a process. Only read transactions fill it:
 * a write transaction sees changes that may be rolled back.
 */
export class Tail {
  private rows: LoggedChange[] = []
  /** The cache is complete after `start` and up to `upTo`. */
  private start = 0
  private upTo: number | undefined
  private readonly newest = new Map<number, number>()
  private lastRead = Number.NEGATIVE_INFINITY
  private reading: Promise<void> = Promise.resolve()

  /** The highest seq of an event of the team. */
  async newestOf(tx: Tx, team_id: number): Promise<number> {
    if (performance.now() - this.lastRead > MAX_AGE_MS) this.startRead(tx)
    await this.reading
    return this.newest.get(team_id) ?? this.start
  }

  /** Resolves when the cache reaches this seq. */
  async reach(tx: Tx, seq: number): Promise<void> {
    if ((this.upTo ?? 0) >= seq) return
    // Another call may be reading; its error is reported there.
    await this.reading.catch(() => {})
    if ((this.upTo ?? 0) >= seq) return
    this.startRead(tx)
    await this.reading
  }

  /** The first events of a team in a range; undefined if the cache does not cover it. */
  between(team_id: number, from: number, end: number, limit: number): LoggedChange[] | undefined {
    if (this.upTo === undefined || from < this.start || end > this.upTo) return undefined
    const found: LoggedChange[] = []
    for (let index = this.after(from); index < this.rows.length && found.length < limit; index++) {
      const row = this.rows[index]!
      if (row.seq > end) break
      if (row.team_id === team_id) found.push(row)
    }
    return found
  }

  at(seq: number): LoggedChange | undefined {
    const row = this.rows[this.after(seq - 1)]
    return row?.seq === seq ? row : undefined
  }

  /** The index of the first row with a higher seq. */
  private after(seq: number): number {
    let low = 0
    let high = this.rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.rows[middle]!.seq > seq) high = middle
      else low = middle + 1
    }
    return low
  }

  private startRead(tx: Tx): void {
    this.lastRead = performance.now()
    this.reading = this.read(tx)
  }

  private async read(tx: Tx): Promise<void> {
    const newest = await lastSeq(tx)
    const from = this.upTo
    if (from === undefined || newest - from > MAX_READ) this.forget(newest)
    else if (newest > from)
      this.add(await changesBetween(tx).execute({ from, end: newest }), newest)
  }

  private forget(newest: number): void {
    this.rows = []
    this.newest.clear()
    this.start = newest
    this.upTo = newest
  }

  private add(rows: readonly LoggedChange[], newest: number): void {
    // Two reads may have run concurrently.
    const added = rows.filter(({ seq }) => seq > (this.upTo ?? 0))
    this.rows.push(...added)
    for (const { team_id, seq } of added) if (team_id !== null) this.newest.set(team_id, seq)
    const excess = this.rows.length - MAX_KEPT
    if (excess > 0) this.start = this.rows.splice(0, excess).at(-1)!.seq
    this.upTo = Math.max(newest, this.upTo ?? 0)
  }
}

const tails = new WeakMap<Server, Tail>()

export function tailOf(server: Server): Tail {
  const tail = tails.get(server) ?? new Tail()
  tails.set(server, tail)
  return tail
}
