import type { Database } from 'bun:sqlite'
import { type Source, sources, type Touched } from './recall.ts'

const FOREIGN_MS = 20

/** Tells what the writing connection wrote: SQLite itself notes it, so nothing can be missed. */
export function watch(writer: Database) {
  writer.run('PRAGMA temp_store=MEMORY')
  writer.run('create temp table touched (source integer not null, key)')
  for (const [number, source] of sources.entries())
    for (const event of ['insert', 'update', 'delete'])
      writer.run(
        `create temp trigger touched_${number}_${event} after ${event} on main.${source.table}
         begin ${notes(number, source, event)}; end`,
      )
  const take = writer.query<Touched, []>('delete from touched returning source, key')
  const version = writer.query<{ data_version: number }, []>('PRAGMA data_version')
  let seen = version.get()!.data_version
  let looked = 0
  return {
    /** What this transaction touched, told once. */
    touched: () => take.all(),
    /** Whether another process wrote since the last time this was asked. */
    foreign(): boolean {
      const now = performance.now()
      if (now - looked < FOREIGN_MS) return false
      looked = now
      const before = seen
      try {
        seen = version.get()!.data_version
      } catch {
        // Locked by another process, which may have written.
        return true
      }
      return seen !== before
    },
  }
}

function notes(number: number, { columns }: Source, event: string): string {
  const key = (row: string) => columns.map((column) => `${row}.${column}`).join("||':'||")
  const note = (value: string) => `insert into touched select ${number}, ${value}`
  if (!columns.length) return note('null')
  // No key is no value of anybody's, while a null stands for all of them.
  const named = (row: string) => `${note(key(row))} where ${key(row)} is not null`
  if (event !== 'update') return named(event === 'insert' ? 'new' : 'old')
  return `${named('old')}; ${named('new')} and ${key('new')} is not ${key('old')}`
}
