import type { Database } from 'bun:sqlite'
import { type CacheDependency, cacheDependencies, type TouchedRow } from './cache.ts'

const CHECK_INTERVAL_MS = 20

/**
 * Records which cached rows the writing connection changes. Triggers of SQLite write the record, so
 * no write can be missed.
 */
export function watchWrites(writer: Database) {
  writer.run('PRAGMA temp_store=MEMORY')
  writer.run('create temp table touched (source integer not null, key)')
  for (const [index, source] of cacheDependencies.entries())
    for (const event of source.isPrimaryKey ? ['update', 'delete'] : ['insert', 'update', 'delete'])
      writer.run(
        `create temp trigger touched_${index}_${event} after ${event} on main.${source.table}
         begin ${triggerBody(index, source, event)}; end`,
      )
  const takeStatement = writer.query<TouchedRow, []>('delete from touched returning source, key')
  const version = writer.query<{ data_version: number }, []>('PRAGMA data_version')
  let lastVersion = version.get()!.data_version
  let checkedAt = 0
  return {
    /** Returns and clears the rows that the current transaction touched. */
    takeTouched: () => takeStatement.all(),
    /** Whether another process wrote since the last call; checked at most every 20 ms. */
    hasForeignWrites(): boolean {
      const now = performance.now()
      if (now - checkedAt < CHECK_INTERVAL_MS) return false
      checkedAt = now
      const before = lastVersion
      try {
        lastVersion = version.get()!.data_version
      } catch {
        // Another process holds a lock and may have written.
        return true
      }
      return lastVersion !== before
    },
  }
}

function triggerBody(
  index: number,
  { columns, isPrimaryKey }: CacheDependency,
  event: string,
): string {
  const key = (row: string) => columns.map((column) => `${row}.${column}`).join("||':'||")
  const insertTouched = (value: string) => `insert into touched select ${index}, ${value}`
  if (!columns.length) return insertTouched('null')
  // A primary key is never null, and no write changes it.
  if (isPrimaryKey) return insertTouched(key('old'))
  // A null in `touched` invalidates all entries, so rows whose key is null are not recorded.
  const insertKey = (row: string) => `${insertTouched(key(row))} where ${key(row)} is not null`
  if (event !== 'update') return insertKey(event === 'insert' ? 'new' : 'old')
  return `${insertKey('old')}; ${insertKey('new')} and ${key('new')} is not ${key('old')}`
}
