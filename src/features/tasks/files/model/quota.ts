import { and, eq, lt, ne, sql, sum } from 'drizzle-orm'
import type { Caller, Context, Tx } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'
import { attachments, fileUsage } from './tables.ts'

const teamKey = (team_id: number) => `team:${team_id}`

/** Native agents and the operator have no credential of their own, so they count per actor. */
const senderKey = ({ credential, actor_id }: Pick<Caller, 'credential' | 'actor_id'>) =>
  credential.endsWith(':0') ? `actor:${actor_id}` : credential

/**
 * Changes the total size of a team's files and refuses to exceed its quota. It must be called
 * before the attachments change. The row of the team stays locked until the transaction ends, so
 * concurrent uploads count each other, even on different servers.
 */
export async function changeTeamBytes(
  { tx, server }: Pick<Context, 'tx' | 'server'>,
  team_id: number,
  delta: number,
): Promise<void> {
  const total = (await addBytes(tx, team_id, delta)) ?? (await startCount(tx, team_id, delta))
  const { team: limit } = server.quotas
  if (delta <= 0 || !limit || total <= limit) return
  throw new Fault(
    'too_large',
    `The files of this team would total ${inMegabytes(total)}; the maximum is ${inMegabytes(limit)}`,
    { limit, used: total - delta },
    'Delete files that are no longer needed, or ask the server operator to raise CORK_FILES_PER_TEAM',
  )
}

async function addBytes(tx: Tx, team_id: number, delta: number): Promise<number | undefined> {
  const [row] = await tx
    .update(fileUsage)
    .set({ bytes: sql`${fileUsage.bytes} + ${delta}` })
    .where(eq(fileUsage.name, teamKey(team_id)))
    .returning()
  return row?.bytes
}

/** Sums up all files of a team once: at its first upload, also after an import or an upgrade. */
async function startCount(tx: Tx, team_id: number, delta: number): Promise<number> {
  const [found] = await tx
    .select({ bytes: sum(attachments.size) })
    .from(attachments)
    .where(eq(attachments.team_id, team_id))
  const row = { name: teamKey(team_id), bytes: Number(found?.bytes ?? 0), day: '' }
  await tx.insert(fileUsage).values(row).onConflictDoNothing()
  return (await addBytes(tx, team_id, delta))!
}

/**
 * Counts the bytes that a credential sends in a day (UTC), even if they are never attached, and
 * refuses to exceed its quota.
 */
export async function chargeSender(
  tx: Tx,
  caller: Pick<Caller, 'credential' | 'actor_id'>,
  bytes: number,
  { limit, now }: { limit: number; now: Date },
): Promise<void> {
  if (!limit) return
  const name = senderKey(caller)
  const day = now.toISOString().slice(0, 10)
  // Rows of earlier days are no longer needed.
  await tx.delete(fileUsage).where(and(ne(fileUsage.day, ''), lt(fileUsage.day, day)))
  const [row] = await tx
    .insert(fileUsage)
    .values({ name, bytes, day })
    .onConflictDoUpdate({
      target: fileUsage.name,
      set: { bytes: sql`${fileUsage.bytes} + ${bytes}` },
    })
    .returning()
  if (row!.bytes <= limit) return
  throw new Fault(
    'too_large',
    `This credential would have sent ${inMegabytes(row!.bytes)} of files today; the maximum is ${inMegabytes(limit)}`,
    { limit, used: row!.bytes - bytes },
    'Continue tomorrow (UTC), or ask the server operator to raise CORK_FILES_PER_DAY',
  )
}

const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
