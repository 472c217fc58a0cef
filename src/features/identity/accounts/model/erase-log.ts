import { and, eq, gt, isNull, like, lte, or, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { lastSeq } from '../../../../store/log.ts'
import { audit, changes, sweeps } from '../../../../store/tables.ts'
import { FORMER_MEMBER } from './erase-copies.ts'

/** Changes that one step looks at. */
const WINDOW = 5000

const progressName = (actor_id: number) => `erase ${actor_id}`

/** Whether a large part of the change log may still contain the name of the person. */
export async function hasUncheckedLog(tx: Tx, actor_id: number): Promise<boolean> {
  return (await lastSeq(tx)) - (await checkedUpto(tx, actor_id)) > WINDOW
}

/** Erases the name in the next part of the change log. Returns the number of changed entries. */
export async function eraseNextOfLog(tx: Tx, actor_id: number): Promise<number> {
  const from = await checkedUpto(tx, actor_id)
  const erased = await eraseNames(tx, actor_id, from, from + WINDOW)
  const progress = { name: progressName(actor_id), upto: (from + WINDOW) / WINDOW }
  await tx
    .insert(sweeps)
    .values(progress)
    .onConflictDoUpdate({ target: sweeps.name, set: { upto: progress.upto } })
  return erased
}

async function checkedUpto(tx: Tx, actor_id: number): Promise<number> {
  const [row] = await tx
    .select()
    .from(sweeps)
    .where(eq(sweeps.name, progressName(actor_id)))
  return (row?.upto ?? 0) * WINDOW
}

/** Entries with names that the person chose, which only they could see. */
const PRIVATE_CHANGES = or(
  ...['calendar_feed', 'chat', 'credential', 'draft', 'grant', 'my_view', 'skill', 'view'].map(
    (noun) => like(changes.type, `${noun}.%`),
  ),
  eq(changes.type, 'session.refused'),
)

/** Erases names and network addresses in the rest of the change log and in the audit log. */
export async function eraseLog(tx: Tx, actor_id: number): Promise<void> {
  // The last part is checked again, because servers of PostgreSQL commit out of order.
  const from = Math.max(0, (await checkedUpto(tx, actor_id)) - WINDOW)
  await eraseNames(tx, actor_id, from, Number.MAX_SAFE_INTEGER)
  await tx.delete(sweeps).where(eq(sweeps.name, progressName(actor_id)))
  const isOwn = and(isNull(changes.team_id), eq(changes.actor_id, actor_id))
  await tx.update(changes).set({ data: {} }).where(and(isOwn, PRIVATE_CHANGES))
  await eraseAudit(tx, actor_id)
}

async function eraseAudit(tx: Tx, actor_id: number): Promise<void> {
  const byOrAbout = or(eq(audit.actor_id, actor_id), eq(audit.subject_id, actor_id))
  const isNamed = or(
    like(audit.type, 'calendar_feed.%'),
    like(audit.type, 'credential.%'),
    like(audit.type, 'grant.%'),
    eq(audit.type, 'session.refused'),
  )
  await tx.update(audit).set({ data: {} }).where(and(byOrAbout, isNamed))
  await tx.update(audit).set({ address: null }).where(eq(audit.actor_id, actor_id))
}

/** Entries hold assignees, holders of leases and mentioned people with their names. */
async function eraseNames(tx: Tx, actor_id: number, from: number, to: number): Promise<number> {
  const isInside = and(gt(changes.seq, from), lte(changes.seq, to))
  const isNamed = sql`cast(${changes.data} as text) like ${`%"user_id":${actor_id},"name":"%`}`
  const rows = await tx
    .select({ seq: changes.seq, data: changes.data })
    .from(changes)
    .where(and(isInside, isNamed))
  for (const { seq, data } of rows) {
    const erased = withoutName(data, actor_id) as Record<string, unknown>
    await tx.update(changes).set({ data: erased }).where(eq(changes.seq, seq))
  }
  return rows.length
}

/** The same value, in which every record of the person has the name "Former member". */
function withoutName(value: unknown, user_id: number): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutName(item, user_id))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, item]) => [name, withoutName(item, user_id)])
  const copy = Object.fromEntries(fields)
  if (copy.user_id === user_id && typeof copy.name === 'string') copy.name = FORMER_MEMBER
  return copy
}
