import { and, eq, inArray } from 'drizzle-orm'
import type { Caller, Tx } from '../../../../kernel/caller.ts'
import { type LoggedChange, lastSeq } from '../../../../store/log.ts'
import { MAX_SPAN, Reader } from './log.ts'
import { lockPosition, type Owner, type Position, recipientFor, setPosition } from './positions.ts'
import { type EventName, goesToWebhook } from './rules.ts'
import { messages } from './tables.ts'
import type { Tail } from './tail.ts'

interface GatherOptions {
  now: Date
  /** The last seq to read. */
  upTo?: number
  /** Changes that need no row. */
  without?: ReadonlySet<number>
  tail?: Tail
}

/** More in one transaction would block others. */
const MAX_ROWS = 500
const MAX_LOOKS = 10

/**
 * Advances an agent's position in the change log by a few reads, and stores a row for each message
 * that it passes. Returns true if there is more to read.
 */
export async function gather(
  tx: Tx,
  caller: Caller,
  { now, upTo = Number.POSITIVE_INFINITY, without, tail }: GatherOptions,
): Promise<boolean> {
  const recipient = recipientFor(caller)
  if (!recipient || !caller.scopes.has('tasks:read')) return false
  const position = await lockPosition(tx, recipient)
  const target = Math.min(upTo, await lastSeq(tx))
  if (target <= position.seq) return false
  const end = Math.min(position.seq + MAX_SPAN, target)
  const reader = new Reader(tx, caller, recipient, tail)
  const passed: LoggedChange[] = []
  let seq = position.seq
  for (let reads = 0; reads < MAX_LOOKS && seq < end && passed.length < MAX_ROWS; reads++) {
    const { found, upTo } = await reader.log(seq, end)
    passed.push(...found.filter((change) => !without?.has(change.seq)))
    seq = upTo
  }
  await advance(tx, position, { passed, seq, now })
  return seq < target
}

interface Advance {
  /** All messages for the agent between its old and new position. */
  passed: readonly LoggedChange[]
  seq: number
  now: Date
}

async function advance(tx: Tx, position: Position, { passed, seq, now }: Advance): Promise<void> {
  if (passed.length)
    await tx.insert(messages).values(passed.map((row) => rowOf(position, row, now)))
  await setPosition(tx, position, seq)
}

/** Advances with changes that were read before, unless the position has moved meanwhile. */
export async function advanceFrom(
  tx: Tx,
  from: Position,
  { passed, seq, now }: Advance,
): Promise<void> {
  const position = await lockPosition(tx, from)
  if (position.seq !== from.seq) return
  const batch = passed.slice(0, MAX_ROWS)
  const target = passed.length > MAX_ROWS ? batch.at(-1)!.seq : seq
  await advance(tx, position, {
    passed: batch.filter((change) => change.seq <= target),
    seq: target,
    now,
  })
}

function rowOf(position: Position, { seq, type, project_id }: LoggedChange, now: Date) {
  const isSent = goesToWebhook(position, { type, seq, project_id })
  const { team_id, actor_id } = position
  return {
    team_id,
    actor_id,
    seq,
    project_id,
    type: type as EventName,
    state: isSent ? ('webhook' as const) : ('polling' as const),
    attempts: 0,
    next_attempt_at: isSent ? now : null,
  }
}

/** Acknowledged messages are deleted. */
export async function deleteMessages(
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
