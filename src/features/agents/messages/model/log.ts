import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Caller, Tx } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { changes } from '../../../../store/tables.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import type { Recipient } from './positions.ts'
import { EVENTS, isRecipient } from './rules.ts'
import { messages } from './tables.ts'
import type { Tail } from './tail.ts'

/** The range of seqs in one read, which keeps each read short. */
export const MAX_SPAN = 5000
const BATCH = 100

const statements = prepared((tx) => {
  const inRange = (seq: typeof changes.seq | typeof messages.seq) =>
    and(gt(seq, param('from')), lte(seq, param('end')))
  return {
    log: tx
      .select()
      .from(changes)
      .where(
        and(
          inRange(changes.seq),
          // Prevents the use of the index that begins with team_id, which would read the whole
          // history of the team.
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
          inRange(messages.seq),
        ),
      )
      .orderBy(asc(messages.seq))
      .limit(BATCH)
      .prepare('messages_left'),
  }
})

interface ReadResult {
  found: LoggedChange[]
  /** The last seq that was read. */
  upTo: number
}

/** Reads messages for one agent. Caches which boards the agent can see. */
export class Reader {
  private readonly boards = new Map<number, boolean>()

  constructor(
    readonly tx: Tx,
    readonly caller: Caller,
    readonly recipient: Recipient,
    private readonly tail?: Tail,
  ) {}

  /** The messages in the log between two seqs, or as many as one read returns. */
  async log(from: number, end: number): Promise<ReadResult> {
    const { team_id } = this.recipient
    const rows =
      this.tail?.between(team_id, from, end, BATCH) ??
      (await statements(this.tx).log.execute({ team_id, from, end }))
    const own = rows.filter((change) => isRecipient(change, this.recipient))
    return { found: await this.among(own), upTo: endOfRead(rows, end) }
  }

  /** The stored, unacknowledged messages between two seqs. */
  async left(from: number, end: number): Promise<ReadResult> {
    const { team_id, actor_id } = this.recipient
    const args = { team_id, actor_id, from, end }
    const rows = (await statements(this.tx).left.execute(args)).map(({ change }) => change)
    return { found: await this.among(rows), upTo: endOfRead(rows, end) }
  }

  /** The items on boards that the agent can see now. */
  async among<C extends { project_id: number | null }>(items: readonly C[]): Promise<C[]> {
    const visible: C[] = []
    for (const item of items) if (await this.sees(item.project_id)) visible.push(item)
    return visible
  }

  private async sees(project_id: number | null): Promise<boolean> {
    if (project_id === null) return true
    const known = this.boards.get(project_id)
    if (known !== undefined) return known
    const isVisible = (await findVisibleProject(this, project_id)) !== undefined
    this.boards.set(project_id, isVisible)
    return isVisible
  }
}

const endOfRead = (rows: readonly { seq: number }[], end: number): number =>
  rows.length === BATCH ? rows.at(-1)!.seq : end
