import type { Database } from 'bun:sqlite'

/** The log is moved into the file at this many pages, which takes a few milliseconds. */
const CHECKPOINT_PAGES = 300

interface Pages {
  log: number
  checkpointed: number
}

/**
 * Moves SQLite's write-ahead log into the database file between commits. A commit and a checkpoint
 * in the same turn would block the thread that answers requests for too long.
 */
export class WriteAheadLog {
  private readonly statements

  constructor(database: Database) {
    database.run('PRAGMA wal_autocheckpoint=0')
    this.statements = {
      count: database.query<Pages, []>('PRAGMA wal_checkpoint(NOOP)'),
      // A passive checkpoint neither waits for other connections nor blocks them.
      move: database.query('PRAGMA wal_checkpoint(PASSIVE)'),
    }
  }

  /** Moves the log once it is long enough, in its own turn of the event loop. */
  async checkpoint(): Promise<void> {
    try {
      const { log, checkpointed } = this.statements.count.get()!
      if (log - checkpointed < CHECKPOINT_PAGES) return
      await new Promise((resolve) => setImmediate(resolve))
      this.statements.move.get()
    } catch {
      // Pages that cannot be moved (full disk) stay in the log and are read from there.
    }
  }
}
