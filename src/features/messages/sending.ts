import {
  and,
  asc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Caller, Tx } from '../../kernel/caller.ts'
import { held } from '../../store/columns.ts'
import { type Logged, lastSeq } from '../../store/log.ts'
import { changes } from '../../store/tables.ts'
import { dropMessages } from './gather.ts'
import { Reader } from './log.ts'
import { heldPlace, listenerOf, type Owner } from './places.ts'
import { type EventName, isTold, seqIn } from './rules.ts'
import { messagePlaces, messages } from './tables.ts'
import { type Message, messagesOf } from './told.ts'

const ofAgent = ({ team_id, actor_id }: Owner) =>
  and(eq(messages.team_id, team_id), eq(messages.actor_id, actor_id))

interface Wanted {
  /** Null: nothing, as there is no webhook at work. */
  wanted: readonly EventName[] | null
  /** Null: of every board. */
  project_id: number | null
}

/**
 * What happens from now on and is of these events is the webhook's to bring. What it was to bring
 * and is not wanted any more goes to polling.
 */
export async function wish(tx: Tx, owner: Owner, { wanted, project_id }: Wanted): Promise<void> {
  await heldPlace(tx, owner)
  await tx
    .update(messagePlaces)
    .set({
      wanted: wanted && [...wanted],
      wanted_from: wanted && (await lastSeq(tx)),
      wanted_project_id: wanted && project_id,
    })
    .where(
      and(eq(messagePlaces.team_id, owner.team_id), eq(messagePlaces.actor_id, owner.actor_id)),
    )
  await letGo(tx, owner, wanted ? unwanted(wanted, project_id) : undefined)
}

/** Nothing is a webhook's to bring any more, and what it did not bring can be polled. */
export const release = (tx: Tx, owner: Owner): Promise<void> =>
  wish(tx, owner, { wanted: null, project_id: null })

function unwanted(events: readonly EventName[], project_id: number | null): SQL | undefined {
  const other = notInArray(messages.type, [...events])
  if (project_id === null) return other
  return or(other, isNull(messages.project_id), ne(messages.project_id, project_id))
}

async function letGo(tx: Tx, owner: Owner, which?: SQL): Promise<void> {
  await tx
    .update(messages)
    .set({ state: 'polling', next_attempt_at: null, sending_until: null })
    .where(and(ofAgent(owner), isNotNull(messages.next_attempt_at), which))
}

export interface Sending {
  seq: number
  /** How often this was tried, with this time. */
  attempt: number
  message: Message
}

interface Claim {
  now: Date
  /** Until when nobody else tries. */
  until: Date
  most: number
}

/** Takes what is due, those first that were never tried; nobody else takes the same until then. */
export async function claimDue(
  tx: Tx,
  caller: Caller,
  { now, until, most }: Claim,
): Promise<Sending[]> {
  const told = listenerOf(caller)
  if (!told) return []
  const free = or(isNull(messages.sending_until), lte(messages.sending_until, now))
  const due = await held(
    tx
      .select()
      .from(messages)
      .where(and(ofAgent(told), lte(messages.next_attempt_at, now), free))
      .orderBy(asc(messages.next_attempt_at), asc(messages.seq))
      .limit(most),
  )
  const seen = await new Reader(tx, caller, told).among(due)
  await hide(
    tx,
    told,
    due.filter((one) => !seen.includes(one)),
  )
  const seqs = seen.map(({ seq }) => seq)
  if (!seqs.length) return []
  await tx
    .update(messages)
    .set({ sending_until: until, attempts: sql`${messages.attempts} + 1` })
    .where(and(ofAgent(told), inArray(messages.seq, seqs)))
  const tries = new Map(seen.map(({ seq, attempts }) => [seq, attempts + 1]))
  const rows = await tx
    .select()
    .from(changes)
    .where(inArray(changes.seq, seqs))
    .orderBy(asc(changes.seq))
  const bodies = await messagesOf(tx, told.actor_id, rows)
  return rows.map(({ seq }, at) => ({ seq, attempt: tries.get(seq)!, message: bodies[at]! }))
}

/** On a board that the agent cannot see any more: nobody brings it, and it is polled if that ends. */
async function hide(tx: Tx, owner: Owner, some: readonly { seq: number }[]): Promise<void> {
  if (!some.length) return
  const seqs = some.map(({ seq }) => seq)
  await letGo(tx, owner, inArray(messages.seq, seqs))
}

/** It arrived, which is as good as acknowledged. */
export const markDelivered = (tx: Tx, owner: Owner, seq: number): Promise<void> =>
  dropMessages(tx, owner, [seq])

/** It did not arrive: it can be polled, and is tried again unless somebody acknowledges it. */
export async function markFailed(tx: Tx, owner: Owner, seq: number, again: Date): Promise<void> {
  await tx
    .update(messages)
    .set({ state: 'polling', next_attempt_at: again, sending_until: null })
    .where(and(ofAgent(owner), eq(messages.seq, seq), isNotNull(messages.next_attempt_at)))
}

/** What an id of this agent told, as it is told now; nothing where the agent may not know of it. */
export async function retold(tx: Tx, caller: Caller, id: string): Promise<Message | undefined> {
  const told = listenerOf(caller)
  const seq = told && seqIn(id, told.actor_id)
  if (!told || seq === undefined) return undefined
  const rows: Logged[] = await tx.select().from(changes).where(eq(changes.seq, seq))
  const own = rows.filter((row) => row.team_id === told.team_id && isTold(row, told))
  const seen = await new Reader(tx, caller, told).among(own)
  const [message] = await messagesOf(tx, told.actor_id, seen)
  return message?.id === id ? message : undefined
}
