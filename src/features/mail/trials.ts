import type { Server } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'

const MOST = 5
const WINDOW_MS = 60 * 60 * 1000

/** Tests of each person, so that nobody fills a mailbox with them. Each process counts its own. */
const trials = new WeakMap<Server, Map<number, number[]>>()

/** Counts one before it is sent, so that many at once are not all let through. */
export function countTrial(server: Server, actor_id: number, now: Date): void {
  const all = trials.get(server) ?? new Map<number, number[]>()
  trials.set(server, all)
  const since = now.getTime() - WINDOW_MS
  const recent = (all.get(actor_id) ?? []).filter((at) => at > since)
  if (recent.length >= MOST)
    throw new Fault(
      'rate_limited',
      `You were sent ${MOST} tests within an hour`,
      { retry_after: Math.ceil((recent[0]! - since) / 1000) },
      'Try again later',
    )
  all.set(actor_id, [...recent, now.getTime()])
}
