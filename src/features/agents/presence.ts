import { sql } from 'drizzle-orm'
import type { Caller, Clock, Tx } from '../../kernel/caller.ts'
import type { Store } from '../../kernel/dispatch.ts'
import { agentPresence } from './tables.ts'

/** An agent that calls all the time is written down this often and no more. */
const EVERY_MS = 15_000
/** So many are written down in one go. */
const AT_ONCE = 100

interface Seen {
  team_id: number
  /** In milliseconds. */
  at: number
}

/**
 * Notes when agents call or listen, where every process of the database can read it. What is not
 * written at once is written within the same quarter of a minute, so that the last call counts.
 */
export class Presence {
  private readonly written = new Map<number, number>()
  private readonly later = new Map<number, Seen>()
  private timer: Timer | undefined

  constructor(
    private readonly store: Pick<Store, 'write'>,
    private readonly clock: Clock,
    private readonly failed: (error: unknown) => void,
    private readonly every = EVERY_MS,
  ) {}

  saw({ kind, actor_id, teams }: Caller) {
    if (kind !== 'agent') return
    const [team_id] = teams.keys()
    if (team_id === undefined) return
    const at = this.clock().getTime()
    if (at - (this.written.get(actor_id) ?? Number.NEGATIVE_INFINITY) >= this.every)
      this.write([[actor_id, { team_id, at }]])
    else this.later.set(actor_id, { team_id, at })
    this.timer ??= this.soon()
  }

  private soon() {
    return setTimeout(() => {
      this.timer = undefined
      const waiting = [...this.later]
      this.later.clear()
      this.written.clear()
      if (waiting.length) this.write(waiting)
      if (waiting.length) this.timer = this.soon()
    }, this.every).unref()
  }

  private write(seen: [number, Seen][]) {
    for (const [actor_id, { at }] of seen) {
      this.written.set(actor_id, at)
      this.later.delete(actor_id)
    }
    void this.keepAll(seen).catch(this.failed)
  }

  /** In one order everywhere, so that servers that write the same rows wait and never block. */
  private async keepAll(seen: [number, Seen][]) {
    const rows = seen
      .map(([actor_id, { team_id, at }]) => ({ team_id, actor_id, seen_at: new Date(at) }))
      .sort((a, b) => a.actor_id - b.actor_id)
    // Thousands may listen: nobody else waits for all of them to be written.
    for (let at = 0; at < rows.length; at += AT_ONCE)
      await this.store.write((tx) => keep(tx, rows.slice(at, at + AT_ONCE)))
  }
}

async function keep(tx: Tx, rows: (typeof agentPresence.$inferInsert)[]) {
  await tx
    .insert(agentPresence)
    .values(rows)
    .onConflictDoUpdate({
      target: [agentPresence.team_id, agentPresence.actor_id],
      set: { seen_at: sql`excluded.seen_at` },
      // Another process may have seen it since.
      setWhere: sql`${agentPresence.seen_at} < excluded.seen_at`,
    })
}
