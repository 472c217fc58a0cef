import { and, eq, gte, inArray, or } from 'drizzle-orm'
import type { Caller, Tx } from '../../kernel/caller.ts'
import { append } from '../../store/log.ts'
import { audit } from '../../store/tables.ts'

const HOUR_MS = 60 * 60 * 1000
const MOST_ADDRESSES = 10
const TYPE = 'session.refused'

type Account = Pick<Caller, 'actor_id' | 'teams'> & { address: string }

/**
 * Notes that somebody gave a wrong password for this account. An account has one entry an hour,
 * which counts, so that guessing passwords does not fill the table.
 */
export async function noteFailedSignIn(tx: Tx, account: Account, now: Date): Promise<void> {
  const { actor_id, address, teams } = account
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
  const theirs = or(
    eq(audit.subject_id, actor_id),
    teams.size ? inArray(audit.team_id, [...teams.keys()]) : undefined,
  )
  const entry = and(
    theirs,
    gte(audit.created_at, hour),
    eq(audit.type, TYPE),
    eq(audit.actor_id, actor_id),
  )
  const [before] = await tx.select({ data: audit.data }).from(audit).where(entry).limit(1)
  const data = counted(before?.data, address, now)
  if (before) await tx.update(audit).set({ data, address }).where(entry)
  else await append(tx, account, now, [{ type: TYPE, place: {}, data }])
}

function counted(before: Record<string, unknown> | undefined, address: string, now: Date) {
  const known = (before?.addresses ?? []) as string[]
  return {
    attempts: Number(before?.attempts ?? 0) + 1,
    addresses: [...new Set([...known, address])].slice(0, MOST_ADDRESSES),
    last_at: now.toISOString(),
  }
}
