import { inArray } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import type { Logged } from '../../store/log.ts'
import { changes } from '../../store/tables.ts'
import { dropMessages, gather } from './gather.ts'
import { listener } from './lists.ts'
import type { Told } from './places.ts'
import { isTold, messageId, seqIn } from './rules.ts'
import { type Tail, tailOf } from './tail.ts'

/** Doing so again changes nothing. Ids that no message of the agent has are named. */
export async function acknowledge(ctx: Context, ids: readonly string[]) {
  const { tx, caller, now } = ctx
  const told = listener(ctx)
  const asked = new Set(ids)
  const known = await knownOf(ctx, told, [...asked])
  const seqs = new Set(known.values())
  const last = Math.max(0, ...seqs)
  // Seldom more than once: who was shown a message has a place that is not far behind it.
  const tail = tailOf(ctx.server)
  while (await gather(tx, caller, { now, upTo: last, without: seqs, tail }));
  await dropMessages(tx, told, [...seqs])
  const unknown = [...asked].filter((id) => !known.has(id))
  return { acknowledged: known.size, unknown }
}

/** Those that were told to the agent, whether or not it may still see the board. */
async function knownOf({ tx, server }: Context, told: Told, ids: readonly string[]) {
  const seqs = ids.flatMap((id) => seqIn(id, told.actor_id) ?? [])
  if (!seqs.length) return new Map<string, number>()
  const rows = await rowsOf(tx, tailOf(server), seqs)
  const own = rows.filter((row) => row.team_id === told.team_id && isTold(row, told))
  const byId = new Map(own.map((row) => [messageId(told.actor_id, row), row.seq]))
  return new Map(ids.flatMap((id) => (byId.has(id) ? [[id, byId.get(id)!] as const] : [])))
}

async function rowsOf(tx: Tx, tail: Tail, seqs: readonly number[]): Promise<Logged[]> {
  const kept = seqs.flatMap((seq) => tail.at(seq) ?? [])
  if (kept.length === seqs.length) return kept
  return tx
    .select()
    .from(changes)
    .where(inArray(changes.seq, [...seqs]))
}
