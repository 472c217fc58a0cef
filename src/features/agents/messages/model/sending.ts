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
import type { Caller, Tx } from '../../../../kernel/caller.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { type LoggedChange, lastSeq } from '../../../../store/log.ts'
import { changes } from '../../../../store/tables.ts'
import { type Message, messagesOf } from './format.ts'
import { deleteMessages } from './gather.ts'
import { Reader } from './log.ts'
import { lockPosition, type Owner, recipientFor } from './positions.ts'
import { type EventName, isRecipient, seqIn } from './rules.ts'
import { messagePlaces, messages } from './tables.ts'

const ofAgent = ({ team_id, actor_id }: Owner) =>
  and(eq(messages.team_id, team_id), eq(messages.actor_id, actor_id))

interface WebhookSelection {
  /** Null: no active webhook. */
  wanted: readonly EventName[] | null
  /** Null: of every board. */
  project_id: number | null
}

/**
 * From now on, these events go to the webhook. Undelivered messages that are no longer selected go
 * to polling.
 */
export async function selectForWebhook(
  tx: Tx,
  owner: Owner,
  { wanted, project_id }: WebhookSelection,
): Promise<void> {
  await lockPosition(tx, owner)
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
  await moveToPolling(tx, owner, wanted ? notSelected(wanted, project_id) : undefined)
}

/** Moves every undelivered message to polling, because there is no webhook any more. */
export const release = (tx: Tx, owner: Owner): Promise<void> =>
  selectForWebhook(tx, owner, { wanted: null, project_id: null })

function notSelected(events: readonly EventName[], project_id: number | null): SQL | undefined {
  const other = notInArray(messages.type, [...events])
  if (project_id === null) return other
  return or(other, isNull(messages.project_id), ne(messages.project_id, project_id))
}

async function moveToPolling(tx: Tx, owner: Owner, condition?: SQL): Promise<void> {
  await tx
    .update(messages)
    .set({ state: 'polling', next_attempt_at: null, sending_until: null })
    .where(and(ofAgent(owner), isNotNull(messages.next_attempt_at), condition))
}

export interface Sending {
  seq: number
  /** The number of this attempt, from 1. */
  attempt: number
  message: Message
}

interface Claim {
  now: Date
  /** Other processes skip the messages until then. */
  until: Date
  most: number
}

/** Claims due messages for sending. Those that were never tried come first. */
export async function claimDue(
  tx: Tx,
  caller: Caller,
  { now, until, most: limit }: Claim,
): Promise<Sending[]> {
  const recipient = recipientFor(caller)
  if (!recipient) return []
  const free = or(isNull(messages.sending_until), lte(messages.sending_until, now))
  const due = await forUpdate(
    tx
      .select()
      .from(messages)
      .where(and(ofAgent(recipient), lte(messages.next_attempt_at, now), free))
      .orderBy(asc(messages.next_attempt_at), asc(messages.seq))
      .limit(limit),
  )
  const visible = await new Reader(tx, caller, recipient).among(due)
  await hide(
    tx,
    recipient,
    due.filter((row) => !visible.includes(row)),
  )
  const seqs = visible.map(({ seq }) => seq)
  if (!seqs.length) return []
  await tx
    .update(messages)
    .set({ sending_until: until, attempts: sql`${messages.attempts} + 1` })
    .where(and(ofAgent(recipient), inArray(messages.seq, seqs)))
  const attempts = new Map(visible.map(({ seq, attempts }) => [seq, attempts + 1]))
  const rows = await tx
    .select()
    .from(changes)
    .where(inArray(changes.seq, seqs))
    .orderBy(asc(changes.seq))
  const bodies = await messagesOf(tx, recipient.actor_id, rows)
  return rows.map(({ seq }, index) => ({
    seq,
    attempt: attempts.get(seq)!,
    message: bodies[index]!,
  }))
}

/**
 * Moves messages on boards that the agent can no longer see to polling, where they appear if it can
 * see them again.
 */
async function hide(tx: Tx, owner: Owner, hidden: readonly { seq: number }[]): Promise<void> {
  if (!hidden.length) return
  const seqs = hidden.map(({ seq }) => seq)
  await moveToPolling(tx, owner, inArray(messages.seq, seqs))
}

/** A delivered message counts as acknowledged. */
export const markDelivered = (tx: Tx, owner: Owner, seq: number): Promise<void> =>
  deleteMessages(tx, owner, [seq])

/**
 * After a failed attempt the message can be polled, and is sent again unless it is acknowledged.
 */
export async function markFailed(tx: Tx, owner: Owner, seq: number, retryAt: Date): Promise<void> {
  await tx
    .update(messages)
    .set({ state: 'polling', next_attempt_at: retryAt, sending_until: null })
    .where(and(ofAgent(owner), eq(messages.seq, seq), isNotNull(messages.next_attempt_at)))
}

/** The message with this id in its current form; undefined if the agent may not see it. */
export async function currentMessage(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<Message | undefined> {
  const recipient = recipientFor(caller)
  const seq = recipient && seqIn(id, recipient.actor_id)
  if (!recipient || seq === undefined) return undefined
  const rows: LoggedChange[] = await tx.select().from(changes).where(eq(changes.seq, seq))
  const own = rows.filter((row) => row.team_id === recipient.team_id && isRecipient(row, recipient))
  const visible = await new Reader(tx, caller, recipient).among(own)
  const [message] = await messagesOf(tx, recipient.actor_id, visible)
  return message?.id === id ? message : undefined
}
