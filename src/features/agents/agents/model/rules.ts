import type { Scope } from '../../../../kernel/caller.ts'

/** A deleted agent keeps its row, because past activity still refers to it. */
export type State = 'active' | 'inactive' | 'archived' | 'deleted'

/** An agent is present if it called or had an open stream within this time. */
const PRESENT_MS = 60_000

export const presentSince = (now: Date) => new Date(now.getTime() - PRESENT_MS)

/** Only active agents can call, so no other can be present. */
export const isPresent = (state: State, seen_at: Date | undefined, now: Date) =>
  state === 'active' && seen_at !== undefined && seen_at >= presentSince(now)

/** The first of these scopes that is not in `own`. */
export const firstScopeBeyond = (scopes: readonly Scope[], own: ReadonlySet<Scope>) =>
  scopes.find((scope) => !own.has(scope))

/** The changed fields with their old and new values, for the change log. */
export function differences<T extends object>(before: T, after: Partial<T>) {
  const changed: Record<string, { before: unknown; after: unknown }> = {}
  for (const name of Object.keys(after) as (keyof T & string)[])
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      changed[name] = { before: before[name], after: after[name] }
  return changed
}
