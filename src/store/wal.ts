import type { Database } from 'bun:sqlite'

/** So many pages are moved from the log into the file at a time, which takes a few milliseconds. */
const MOST_PAGES = 300

interface Pages {
  log: number
  checkpointed: number
}

/**
 * Moves SQLite's write-ahead log into the database file, apart from the commits: one after the other
 * in the same turn keeps the thread that answers requests too long.
 */
export class WriteAheadLog {
  private readonly statements

  constructor(database: Database) {
    database.run('PRAGMA wal_autocheckpoint=0')
    this.statements = {
      count: database.query<Pages, []>('PRAGMA wal_checkpoint(NOOP)'),
      // The kind that waits for nobody and keeps nobody waiting.
      move: database.query('PRAGMA wal_checkpoint(PASSIVE)'),
    }
  }

  /** Moves what there is once it is enough, in a turn of its own. */
  async shorten(): Promise<void> {
    try {
      const { log, checkpointed } = this.statements.count.get()!
      if (log - checkpointed < MOST_PAGES) return
      await new Promise((next) => setImmediate(next))
      this.statements.move.get()
    } catch {
      // What cannot be moved, as on a full disk, stays in the log and is read from there.
    }
  }
}
