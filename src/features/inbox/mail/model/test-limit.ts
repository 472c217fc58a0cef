import type { Server } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'

const MAX_TESTS = 5
const WINDOW_MS = 60 * 60 * 1000

/** Times of recent test emails by person, to limit them. Each process counts its own. */
const testTimes = new WeakMap<Server, Map<number, number[]>>()

/** Counts a test email before it is sent, so that concurrent requests cannot exceed the limit. */
export function countTest(server: Server, actor_id: number, now: Date): void {
  const times = testTimes.get(server) ?? new Map<number, number[]>()
  testTimes.set(server, times)
  const since = now.getTime() - WINDOW_MS
  const recent = (times.get(actor_id) ?? []).filter((at) => at > since)
  if (recent.length >= MAX_TESTS)
    throw new Fault(
      'rate_limited',
      `At most ${MAX_TESTS} test emails per hour`,
      { retry_after: Math.ceil((recent[0]! - since) / 1000) },
      'Try again later',
    )
  times.set(actor_id, [...recent, now.getTime()])
}
