import type { Scope } from '../../kernel/caller.ts'

/** A deleted agent has a row, for what it did still names it. */
export type State = 'active' | 'inactive' | 'archived' | 'deleted'

/** Present means a call or an open stream within this time. */
const PRESENT_MS = 60_000

export const presentSince = (now: Date) => new Date(now.getTime() - PRESENT_MS)

/** Only an active agent is let in, so no other is there. */
export const isPresent = (state: State, seen_at: Date | undefined, now: Date) =>
  state === 'active' && seen_at !== undefined && seen_at >= presentSince(now)

/** The first scope that a credential would hand out without having it itself. */
export const beyond = (scopes: readonly Scope[], own: ReadonlySet<Scope>) =>
  scopes.find((scope) => !own.has(scope))

/** Fields that differ, each with what it was and is: for the change log. */
export function differences<T extends object>(before: T, after: Partial<T>) {
  const changed: Record<string, { before: unknown; after: unknown }> = {}
  for (const name of Object.keys(after) as (keyof T & string)[])
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      changed[name] = { before: before[name], after: after[name] }
  return changed
}
