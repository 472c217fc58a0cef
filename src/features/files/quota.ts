import { and, eq, lt, ne, sql, sum } from 'drizzle-orm'
import type { Caller, Context, Tx } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { attachments, fileUsage } from './tables.ts'

const teamName = (team_id: number) => `team:${team_id}`

/** Native agents and the operator have no credential of their own. */
const senderName = ({ credential, actor_id }: Pick<Caller, 'credential' | 'actor_id'>) =>
  credential.endsWith(':0') ? `actor:${actor_id}` : credential

/**
 * Changes what the files of a team come to, and refuses what would exceed its quota. Called before
 * the attachments themselves change. The row of the team is held until the transaction ends, so
 * that uploads at the same moment, on whatever server, count each other.
 */
export async function changeTeamBytes(
  { tx, server }: Pick<Context, 'tx' | 'server'>,
  team_id: number,
  by: number,
): Promise<void> {
  const total = (await added(tx, team_id, by)) ?? (await begun(tx, team_id, by))
  const { team: limit } = server.quotas
  if (by <= 0 || !limit || total <= limit) return
  throw new Fault(
    'too_large',
    `The files of this team would come to ${inMegabytes(total)}; the most is ${inMegabytes(limit)}`,
    { limit, used: total - by },
    'Delete files that are no longer needed, or ask whoever runs this server to raise CORK_FILES_PER_TEAM',
  )
}

async function added(tx: Tx, team_id: number, by: number): Promise<number | undefined> {
  const [row] = await tx
    .update(fileUsage)
    .set({ bytes: sql`${fileUsage.bytes} + ${by}` })
    .where(eq(fileUsage.name, teamName(team_id)))
    .returning()
  return row?.bytes
}

/** A team is counted in full once: at its first upload, also after an import or an upgrade. */
async function begun(tx: Tx, team_id: number, by: number): Promise<number> {
  const [found] = await tx
    .select({ bytes: sum(attachments.size) })
    .from(attachments)
    .where(eq(attachments.team_id, team_id))
  const row = { name: teamName(team_id), bytes: Number(found?.bytes ?? 0), day: '' }
  await tx.insert(fileUsage).values(row).onConflictDoNothing()
  return (await added(tx, team_id, by))!
}

/**
 * Counts what a credential sends in a day (UTC), whether or not it is attached to anything in the
 * end, and refuses what would exceed its quota.
 */
export async function chargeSender(
  tx: Tx,
  caller: Pick<Caller, 'credential' | 'actor_id'>,
  bytes: number,
  { limit, now }: { limit: number; now: Date },
): Promise<void> {
  if (!limit) return
  const name = senderName(caller)
  const day = now.toISOString().slice(0, 10)
  // Rows of earlier days say nothing any more.
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
    `This credential would have sent ${inMegabytes(row!.bytes)} of files today; the most is ${inMegabytes(limit)}`,
    { limit, used: row!.bytes - bytes },
    'Go on tomorrow (UTC), or ask whoever runs this server to raise CORK_FILES_PER_DAY',
  )
}

const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
