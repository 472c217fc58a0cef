import { and, asc, gt, inArray, lte } from 'drizzle-orm'
import type { Server, Tx } from '../../kernel/caller.ts'
import { type Logged, lastSeq } from '../../store/log.ts'
import { param, prepared } from '../../store/prepared.ts'
import { changes } from '../../store/tables.ts'
import { EVENTS } from './rules.ts'

/** Less than anybody waits after a commit before asking again. */
const FRESH_MS = 20
/** More at once is left to those who want it. */
const MOST_READ = 500
const MOST_KEPT = 1000

const since = prepared((tx) =>
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
 * The newest events of the log, read once for all agents of a process. Filled by readers alone: who
 * writes sees what may yet be undone.
 */
export class Tail {
  private rows: Logged[] = []
  /** Everything after this, and up to that, is known. */
  private start = 0
  private upTo: number | undefined
  private readonly newest = new Map<number, number>()
  private looked = Number.NEGATIVE_INFINITY
  private looking: Promise<void> = Promise.resolve()

  /** No event of the team has a higher number. */
  async newestOf(tx: Tx, team_id: number): Promise<number> {
    if (performance.now() - this.looked > FRESH_MS) this.begin(tx)
    await this.looking
    return this.newest.get(team_id) ?? this.start
  }

  /** Returns once the log is known as far as that. */
  async reach(tx: Tx, seq: number): Promise<void> {
    if ((this.upTo ?? 0) >= seq) return
    // Somebody else may be at it; what went wrong there is theirs to tell.
    await this.looking.catch(() => {})
    if ((this.upTo ?? 0) >= seq) return
    this.begin(tx)
    await this.looking
  }

  /** The first events of a team in this stretch; nothing where not all of it is known. */
  between(team_id: number, from: number, end: number, most: number): Logged[] | undefined {
    if (this.upTo === undefined || from < this.start || end > this.upTo) return undefined
    const found: Logged[] = []
    for (let at = this.after(from); at < this.rows.length && found.length < most; at++) {
      const row = this.rows[at]!
      if (row.seq > end) break
      if (row.team_id === team_id) found.push(row)
    }
    return found
  }

  at(seq: number): Logged | undefined {
    const row = this.rows[this.after(seq - 1)]
    return row?.seq === seq ? row : undefined
  }

  /** Where the rows begin that have a higher number. */
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

  private begin(tx: Tx): void {
    this.looked = performance.now()
    this.looking = this.look(tx)
  }

  private async look(tx: Tx): Promise<void> {
    const newest = await lastSeq(tx)
    const from = this.upTo
    if (from === undefined || newest - from > MOST_READ) this.forget(newest)
    else if (newest > from) this.add(await since(tx).execute({ from, end: newest }), newest)
  }

  private forget(newest: number): void {
    this.rows = []
    this.newest.clear()
    this.start = newest
    this.upTo = newest
  }

  private add(rows: readonly Logged[], newest: number): void {
    // Two may have looked at once.
    const fresh = rows.filter(({ seq }) => seq > (this.upTo ?? 0))
    this.rows.push(...fresh)
    for (const { team_id, seq } of fresh) if (team_id !== null) this.newest.set(team_id, seq)
    const many = this.rows.length - MOST_KEPT
    if (many > 0) this.start = this.rows.splice(0, many).at(-1)!.seq
    this.upTo = Math.max(newest, this.upTo ?? 0)
  }
}

const tails = new WeakMap<Server, Tail>()

export function tailOf(server: Server): Tail {
  const tail = tails.get(server) ?? new Tail()
  tails.set(server, tail)
  return tail
}
