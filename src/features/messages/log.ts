import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Caller, Tx } from '../../kernel/caller.ts'
import type { Logged } from '../../store/log.ts'
import { param, prepared } from '../../store/prepared.ts'
import { changes } from '../../store/tables.ts'
import { seenProject } from '../projects/index.ts'
import type { Told } from './places.ts'
import { EVENTS, isTold } from './rules.ts'
import { messages } from './tables.ts'
import type { Tail } from './tail.ts'

/** What one look at the log reads, whatever it finds: it never holds anybody up. */
export const SPAN = 5000
const BATCH = 100

const statements = prepared((tx) => {
  const within = (seq: typeof changes.seq | typeof messages.seq) =>
    and(gt(seq, param('from')), lte(seq, param('end')))
  return {
    log: tx
      .select()
      .from(changes)
      .where(
        and(
          within(changes.seq),
          // Not by the index that begins with the team: that would read all it ever did.
          sql`${changes.team_id} + 0 = ${param('team_id')}`,
          inArray(changes.type, [...EVENTS]),
        ),
      )
      .orderBy(asc(changes.seq))
      .limit(BATCH)
      .prepare('messages_in_log'),
    left: tx
      .select({ change: changes })
      .from(messages)
      .innerJoin(changes, eq(changes.seq, messages.seq))
      .where(
        and(
          eq(messages.team_id, param('team_id')),
          eq(messages.actor_id, param('actor_id')),
          sql`state = 'polling'`,
          within(messages.seq),
        ),
      )
      .orderBy(asc(messages.seq))
      .limit(BATCH)
      .prepare('messages_left'),
  }
})

interface Stretch {
  found: Logged[]
  /** As far as it was read. */
  upTo: number
}

/** Reads for one agent, and asks once about each board whether the agent may see it. */
export class Reader {
  private readonly boards = new Map<number, boolean>()

  constructor(
    readonly tx: Tx,
    readonly caller: Caller,
    readonly told: Told,
    private readonly tail?: Tail,
  ) {}

  /** What the log tells the agent between two places, or as much of it as one look takes. */
  async log(from: number, end: number): Promise<Stretch> {
    const { team_id } = this.told
    const rows =
      this.tail?.between(team_id, from, end, BATCH) ??
      (await statements(this.tx).log.execute({ team_id, from, end }))
    const own = rows.filter((change) => isTold(change, this.told))
    return { found: await this.among(own), upTo: reached(rows, end) }
  }

  /** The same of what was left unacknowledged. */
  async left(from: number, end: number): Promise<Stretch> {
    const { team_id, actor_id } = this.told
    const asked = { team_id, actor_id, from, end }
    const rows = (await statements(this.tx).left.execute(asked)).map(({ change }) => change)
    return { found: await this.among(rows), upTo: reached(rows, end) }
  }

  /** Those on boards that the agent can see by now. */
  async among<C extends { project_id: number | null }>(some: readonly C[]): Promise<C[]> {
    const seen: C[] = []
    for (const one of some) if (await this.sees(one.project_id)) seen.push(one)
    return seen
  }

  private async sees(project_id: number | null): Promise<boolean> {
    if (project_id === null) return true
    const before = this.boards.get(project_id)
    if (before !== undefined) return before
    const now = (await seenProject(this, project_id)) !== undefined
    this.boards.set(project_id, now)
    return now
  }
}

const reached = (rows: readonly { seq: number }[], end: number): number =>
  rows.length === BATCH ? rows.at(-1)!.seq : end
