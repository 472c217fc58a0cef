import { getTableName, type Table } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'

type Key = string | number

/** Columns that form a key, joined with colons, or a table whose every write clears the cache. */
type Dependency = readonly PgColumn[] | PgTable

interface CacheOptions<Lookup, Value> {
  /** The key of a cached value. */
  key(lookup: Lookup): Key
  /** Rows that the value is built from: those with its key in these columns, or a whole table. */
  dependsOn: readonly Dependency[]
  load(tx: Tx, lookups: readonly Lookup[]): Promise<ReadonlyMap<Key, Value>>
  /** False for values that are too large for the cache. */
  shouldCache?(value: Value): boolean
}

/**
 * Which writes invalidate which caches. A write to a row removes the entries with the row's key, the
 * values of `columns`. Without columns, a write to any row of the table clears the caches.
 */
export interface CacheDependency {
  table: string
  columns: string[]
  /** Whether the columns are the primary key. Then an inserted row has no entry in any cache. */
  isPrimaryKey: boolean
  /** The caches to invalidate. */
  cacheIds: number[]
}

export const cacheDependencies: CacheDependency[] = []
let cacheCount = 0

/**
 * Caches values until a row they were built from is written. Only connections that observe every
 * write have a cache (`enableCache`); on others each call reads the database. Do not cache
 * under a primary key that its row does not exist: an insert does not remove such an entry.
 */
export function cachedLoader<Lookup, Value>({
  key,
  dependsOn,
  load,
  shouldCache,
}: CacheOptions<Lookup, Value>) {
  const cacheId = cacheCount++
  for (const dependency of dependsOn) register(dependency, cacheId)
  async function loadMany(tx: Tx, lookups: readonly Lookup[]): Promise<ReadonlyMap<Key, Value>> {
    if (!lookups.length) return new Map()
    const cache = readCaches.get(tx)
    if (!cache) return load(tx, lookups)
    const entries = cache.entriesOf<Value>(cacheId)
    const found = new Map<Key, Value>()
    const missing: Lookup[] = []
    for (const lookup of lookups) {
      const entryKey = key(lookup)
      const value = entries.get(entryKey)
      if (value === undefined) missing.push(lookup)
      else found.set(entryKey, value)
    }
    if (!missing.length) return found
    const { version } = cache
    for (const [entryKey, value] of await load(tx, missing)) {
      found.set(entryKey, value)
      // If there was a write during the read, the value may be outdated and is not cached.
      if (cache.version === version && (!shouldCache || shouldCache(value)))
        entries.set(entryKey, value)
    }
    return found
  }
  /** Returns cached values without a promise, because most requests find their value cached. */
  function loadOne(tx: Tx, lookup: Lookup): Value | undefined | Promise<Value | undefined> {
    const entryKey = key(lookup)
    const known = readCaches.get(tx)?.entriesOf<Value>(cacheId).get(entryKey)
    return known ?? loadMany(tx, [lookup]).then((found) => found.get(entryKey))
  }
  return { get: loadOne, getMany: loadMany }
}

function register(dependency: Dependency, cacheId: number) {
  const keyColumns = Array.isArray(dependency) ? (dependency as PgColumn[]) : []
  const table = getTableName((keyColumns[0]?.table ?? dependency) as Table)
  const columns = keyColumns.map(({ name }) => name)
  const known = cacheDependencies.find(
    (other) => other.table === table && other.columns.join() === columns.join(),
  )
  if (known) return void known.cacheIds.push(cacheId)
  const isPrimaryKey = keyColumns.length === 1 && keyColumns[0]!.primary
  cacheDependencies.push({ table, columns, isPrimaryKey, cacheIds: [cacheId] })
}

const MAX_ENTRIES = 2000

/** Keeps recently used values in two generations; a full `recent` replaces `previous`. */
class LruMap<Value> {
  private recent = new Map<Key, Value>()
  private previous = new Map<Key, Value>()

  get(key: Key): Value | undefined {
    const value = this.recent.get(key)
    if (value !== undefined) return value
    const before = this.previous.get(key)
    if (before !== undefined) this.set(key, before)
    return before
  }

  set(key: Key, value: Value) {
    if (this.recent.size >= MAX_ENTRIES) {
      this.previous = this.recent
      this.recent = new Map()
    }
    this.recent.set(key, value)
  }

  delete(key: Key) {
    this.recent.delete(key)
    this.previous.delete(key)
  }
}

/** A written row; `source` is an index in `cacheDependencies`. A null key stands for all keys. */
export interface TouchedRow {
  source: number
  key: Key | null
}

export class ReadCache {
  /** Grows with every write. */
  version = 0
  private caches: LruMap<unknown>[] = []

  entriesOf<Value>(cacheId: number): LruMap<Value> {
    this.caches[cacheId] ??= new LruMap()
    return this.caches[cacheId] as LruMap<Value>
  }

  invalidate(touched: readonly TouchedRow[]) {
    this.version++
    for (const { source, key } of touched)
      for (const cacheId of cacheDependencies[source]!.cacheIds)
        if (key === null) this.caches[cacheId] = new LruMap()
        else this.caches[cacheId]?.delete(key)
  }

  clear() {
    this.version++
    this.caches = []
  }
}

const readCaches = new WeakMap<Tx, ReadCache>()

/** Gives a connection a cache. The caller must report every write to the cache. */
export const enableCache = (tx: Tx, cache: ReadCache) => void readCaches.set(tx, cache)
