import { cache } from './cache.ts'
import type { Change } from './change-stream.ts'
import { isList, isStale, type Query } from './stale.ts'

/** A list may take many requests, so it is refetched at most this often. */
const LIST_INTERVAL_MS = 400
const staleLists = new Set<Query>()
let listTimer: ReturnType<typeof setTimeout> | undefined

/** Marks the queries that the changes affect as stale; those on screen are fetched again. */
export function invalidateStale(changes: readonly Change[]) {
  const isAffected = (query: Query) => changes.some((change) => isStale(query, change))
  const predicate = (query: Query) => !isList(query) && isAffected(query)
  void cache.invalidateQueries({ predicate })
  for (const query of cache.getQueryCache().getAll())
    if (isList(query) && isAffected(query)) staleLists.add(query)
  if (listTimer === undefined) invalidateLists()
}

function invalidateLists() {
  listTimer = undefined
  if (!staleLists.size) return
  void cache.invalidateQueries({ predicate: (query) => staleLists.has(query) })
  staleLists.clear()
  listTimer = setTimeout(invalidateLists, LIST_INTERVAL_MS)
}
