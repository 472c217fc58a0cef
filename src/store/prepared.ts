import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../kernel/caller.ts'
import { quicken } from './quick.ts'

/**
 * Statements of a hot path, built once for each connection. On SQLite a connection lives as long
 * as the process; on PostgreSQL each transaction has its own.
 */
export function prepared<T extends object>(make: (tx: Tx) => T): (tx: Tx) => T {
  const made = new WeakMap<Tx, T>()
  return (tx) => {
    const before = made.get(tx)
    if (before) return before
    const statements = make(tx)
    for (const one of 'execute' in statements ? [statements] : Object.values(statements))
      quicken(one, tx)
    made.set(tx, statements)
    return statements
  }
}

/** A value that is filled in when a prepared statement runs. */
// biome-ignore lint/suspicious/noExplicitAny: stands for a value of whatever column it is compared with
export const param = (name: string) => sql.placeholder(name) as unknown as SQL<any> & any
