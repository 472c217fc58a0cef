/** When a lease counts, and what becomes of who wants one. Nothing here reads a clock or a database. */
export const SHORTEST_MS = 10_000
export const USUAL_MS = 30 * 60_000
export const LONGEST_MS = 4 * 60 * 60_000

/** Whoever wants a task, or has it; `owner_id` tells several workers of one token apart. */
export interface Worker {
  holder_id: number
  owner_id: string | null
}

export interface Term {
  expires_at: Date
  ended_at: Date | null
}

/** At the very moment of its expiry a lease is over. */
export const isLive = ({ expires_at, ended_at }: Term, now: Date): boolean =>
  ended_at === null && expires_at > now

export const isSame = (one: Worker, other: Worker): boolean =>
  one.holder_id === other.holder_id && one.owner_id === other.owner_id

/** What a claim comes to where a task has, or had, this lease. */
export function claimed(
  before: (Worker & Term) | undefined,
  by: Worker,
  now: Date,
): 'new' | 'renewed' | 'refused' {
  if (!before || !isLive(before, now)) return 'new'
  return isSame(before, by) ? 'renewed' : 'refused'
}

/** What a guarded operation comes to on a task with this lease. */
export function guarded(
  lease: (Worker & Term) | undefined,
  holder_id: number,
  now: Date,
): 'allowed' | 'missing' | 'held' {
  if (!lease || !isLive(lease, now)) return 'missing'
  return lease.holder_id === holder_id ? 'allowed' : 'held'
}

/** Why a task cannot be claimed at all. */
export function unclaimable(task: { status: string; completed_at: Date | null }) {
  if (task.status === 'Archive') return 'is archived'
  if (task.status === 'Deleted') return 'is deleted'
  return task.completed_at ? 'is done' : undefined
}
