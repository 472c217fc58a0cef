import { and, eq, gte, inArray, or } from 'drizzle-orm'
import type { Caller, Tx } from '../../../../kernel/caller.ts'
import { append } from '../../../../store/log.ts'
import { audit } from '../../../../store/tables.ts'

const HOUR_MS = 60 * 60 * 1000
const MAX_ADDRESSES = 10
const REFUSED_TYPE = 'session.refused'

type Account = Pick<Caller, 'actor_id' | 'teams'> & { address: string }

/**
 * Records a wrong password for an account. Attempts within the same hour share one entry with a
 * count, so that password guessing does not fill the table.
 */
export async function noteFailedSignIn(tx: Tx, account: Account, now: Date): Promise<void> {
  const { actor_id, address, teams } = account
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
  const visibleEntries = or(
    eq(audit.subject_id, actor_id),
    teams.size ? inArray(audit.team_id, [...teams.keys()]) : undefined,
  )
  const entry = and(
    visibleEntries,
    gte(audit.created_at, hour),
    eq(audit.type, REFUSED_TYPE),
    eq(audit.actor_id, actor_id),
  )
  const [existing] = await tx.select({ data: audit.data }).from(audit).where(entry).limit(1)
  const data = countAttempt(existing?.data, address, now)
  if (existing) await tx.update(audit).set({ data, address }).where(entry)
  else await append(tx, account, now, [{ type: REFUSED_TYPE, place: {}, data }])
}

function countAttempt(previous: Record<string, unknown> | undefined, address: string, now: Date) {
  const addresses = (previous?.addresses ?? []) as string[]
  return {
    attempts: Number(previous?.attempts ?? 0) + 1,
    addresses: [...new Set([...addresses, address])].slice(0, MAX_ADDRESSES),
    last_at: now.toISOString(),
  }
}
