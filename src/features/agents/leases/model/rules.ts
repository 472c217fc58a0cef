/** When a lease is live and what a claim leads to. This file reads neither clock nor database. */
export const MIN_TTL_MS = 10_000
export const DEFAULT_TTL_MS = 30 * 60_000
export const MAX_TTL_MS = 4 * 60 * 60_000

/** Who claims or holds a task; `owner_id` distinguishes workers that share one token. */
export interface Worker {
  holder_id: number
  owner_id: string | null
}

export interface Term {
  expires_at: Date
  ended_at: Date | null
}

/** A lease has ended at the moment of its expiry. */
export const isLive = ({ expires_at, ended_at }: Term, now: Date): boolean =>
  ended_at === null && expires_at > now

export const isSameWorker = (worker: Worker, other: Worker): boolean =>
  worker.holder_id === other.holder_id && worker.owner_id === other.owner_id

/** The result of a claim on a task with this current or former lease. */
export function claimVerdict(
  before: (Worker & Term) | undefined,
  by: Worker,
  now: Date,
): 'new' | 'renewed' | 'refused' {
  if (!before || !isLive(before, now)) return 'new'
  return isSameWorker(before, by) ? 'renewed' : 'refused'
}

/** The result of a guarded operation on a task with this lease. */
export function guardVerdict(
  lease: (Worker & Term) | undefined,
  holder_id: number,
  now: Date,
): 'allowed' | 'missing' | 'held' {
  if (!lease || !isLive(lease, now)) return 'missing'
  return lease.holder_id === holder_id ? 'allowed' : 'held'
}

/** Why a task cannot be claimed at all. */
export function reasonNotClaimable(task: { status: string; completed_at: Date | null }) {
  if (task.status === 'Archive') return 'is archived'
  if (task.status === 'Deleted') return 'is deleted'
  return task.completed_at ? 'is done' : undefined
}
