import { and, eq, inArray } from 'drizzle-orm'
import type { Caller, Tx } from '../../kernel/caller.ts'
import { type Logged, lastSeq } from '../../store/log.ts'
import { Reader, SPAN } from './log.ts'
import { heldPlace, listenerOf, movePlace, type Owner, type Place } from './places.ts'
import { type EventName, isWanted } from './rules.ts'
import { messages } from './tables.ts'
import type { Tail } from './tail.ts'

interface Gathering {
  now: Date
  /** No further than this. */
  upTo?: number
  /** These need no row. */
  without?: ReadonlySet<number>
  tail?: Tail
}

/** More of them in one transaction would keep others waiting. */
const MOST_ROWS = 500
const MOST_LOOKS = 10

/**
 * Takes an agent's place in the log onward by a few looks, and keeps a row of each message that it
 * passes. True while there is more to read.
 */
export async function gather(
  tx: Tx,
  caller: Caller,
  { now, upTo = Number.POSITIVE_INFINITY, without, tail }: Gathering,
): Promise<boolean> {
  const told = listenerOf(caller)
  if (!told || !caller.scopes.has('tasks:read')) return false
  const place = await heldPlace(tx, told)
  const goal = Math.min(upTo, await lastSeq(tx))
  if (goal <= place.seq) return false
  const end = Math.min(place.seq + SPAN, goal)
  const reader = new Reader(tx, caller, told, tail)
  const passed: Logged[] = []
  let seq = place.seq
  for (let looks = 0; looks < MOST_LOOKS && seq < end && passed.length < MOST_ROWS; looks++) {
    const { found, upTo } = await reader.log(seq, end)
    passed.push(...found.filter((one) => !without?.has(one.seq)))
    seq = upTo
  }
  await pass(tx, place, { passed, seq, now })
  return seq < goal
}

interface Passing {
  /** All that the agent is to be told between its place and where it goes. */
  passed: readonly Logged[]
  seq: number
  now: Date
}

async function pass(tx: Tx, place: Place, { passed, seq, now }: Passing): Promise<void> {
  if (passed.length) await tx.insert(messages).values(passed.map((row) => rowOf(place, row, now)))
  await movePlace(tx, place, seq)
}

/** The same of what was read before, unless the place was moved meanwhile. */
export async function passFrom(tx: Tx, from: Place, { passed, seq, now }: Passing): Promise<void> {
  const place = await heldPlace(tx, from)
  if (place.seq !== from.seq) return
  const most = passed.slice(0, MOST_ROWS)
  const goal = passed.length > MOST_ROWS ? most.at(-1)!.seq : seq
  await pass(tx, place, { passed: most.filter((one) => one.seq <= goal), seq: goal, now })
}

function rowOf(place: Place, { seq, type, project_id }: Logged, now: Date) {
  const isSent = isWanted(place, { type, seq, project_id })
  const { team_id, actor_id } = place
  return {
    ...{ team_id, actor_id, seq, project_id, type: type as EventName },
    state: isSent ? ('webhook' as const) : ('polling' as const),
    attempts: 0,
    next_attempt_at: isSent ? now : null,
  }
}

/** What is acknowledged leaves no trace. */
export async function dropMessages(
  tx: Tx,
  { team_id, actor_id }: Owner,
  seqs: readonly number[],
): Promise<void> {
  if (!seqs.length) return
  await tx
    .delete(messages)
    .where(
      and(
        eq(messages.team_id, team_id),
        eq(messages.actor_id, actor_id),
        inArray(messages.seq, [...seqs]),
      ),
    )
}
