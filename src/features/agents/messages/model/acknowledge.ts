import { inArray } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { changes } from '../../../../store/tables.ts'
import { deleteMessages, gather } from './gather.ts'
import { requireRecipient } from './lists.ts'
import type { Recipient } from './positions.ts'
import { isRecipient, messageId, seqIn } from './rules.ts'
import { type Tail, tailOf } from './tail.ts'

/** Acknowledges messages. It is idempotent, and returns ids that are of no message of the agent. */
export async function acknowledge(ctx: Context, ids: readonly string[]) {
  const { tx, caller, now } = ctx
  const recipient = requireRecipient(ctx)
  const requested = new Set(ids)
  const known = await findSeqs(ctx, recipient, [...requested])
  const seqs = new Set(known.values())
  const last = Math.max(0, ...seqs)
  // Usually one pass: an agent that was shown a message has a position close behind it.
  const tail = tailOf(ctx.server)
  while (await gather(tx, caller, { now, upTo: last, without: seqs, tail }));
  await deleteMessages(tx, recipient, [...seqs])
  const unknown = [...requested].filter((id) => !known.has(id))
  return { acknowledged: known.size, unknown }
}

/** The ids that were sent to the agent, even if it can no longer see the board. */
async function findSeqs({ tx, server }: Context, recipient: Recipient, ids: readonly string[]) {
  const seqs = ids.flatMap((id) => seqIn(id, recipient.actor_id) ?? [])
  if (!seqs.length) return new Map<string, number>()
  const rows = await rowsOf(tx, tailOf(server), seqs)
  const own = rows.filter((row) => row.team_id === recipient.team_id && isRecipient(row, recipient))
  const byId = new Map(own.map((row) => [messageId(recipient.actor_id, row), row.seq]))
  return new Map(ids.flatMap((id) => (byId.has(id) ? [[id, byId.get(id)!] as const] : [])))
}

async function rowsOf(tx: Tx, tail: Tail, seqs: readonly number[]): Promise<LoggedChange[]> {
  const cached = seqs.flatMap((seq) => tail.at(seq) ?? [])
  if (cached.length === seqs.length) return cached
  return tx
    .select()
    .from(changes)
    .where(inArray(changes.seq, [...seqs]))
}
