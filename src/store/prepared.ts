import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../kernel/caller.ts'
import { optimizeStatement } from './prepared-sqlite.ts'

/**
 * Prepares the statements of a hot path once per connection. On SQLite a connection lives as long
 * as the process; on PostgreSQL it lives in a pool.
 */
export function prepared<T extends object>(build: (tx: Tx) => T): (tx: Tx) => T {
  const cache = new WeakMap<Tx, T>()
  return (tx) => {
    const before = cache.get(tx)
    if (before) return before
    const statements = build(tx)
    for (const statement of 'execute' in statements ? [statements] : Object.values(statements))
      optimizeStatement(statement, tx)
    cache.set(tx, statements)
    return statements
  }
}

/** Prepares a statement once per connection for each list of names, such as changed columns. */
export function preparedFor<T extends object>(build: (tx: Tx, names: readonly string[]) => T) {
  const caches = prepared((_: Tx) => new Map<string, T>())
  return (tx: Tx, names: readonly string[]): T => {
    const cache = caches(tx)
    const key = names.join()
    const statement = cache.get(key) ?? optimizeStatement(build(tx, names), tx)
    cache.set(key, statement)
    return statement
  }
}

/** A value that is filled in when a prepared statement runs. */
// biome-ignore lint/suspicious/noExplicitAny: stands for a value of whatever column it is compared with
export const param = (name: string) => sql.placeholder(name) as unknown as SQL<any> & any
