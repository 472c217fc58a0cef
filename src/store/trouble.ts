import { Fault } from '../kernel/fault.ts'

interface Trouble {
  what: string
  next: string
  /** What fails today may work tomorrow, without a restart. */
  passes?: true
}

/** What the codes of SQLite, PostgreSQL and the system mean for whoever runs the server; the longest beginning that fits. */
const TROUBLES: Record<string, Trouble> = {
  SQLITE_FULL: {
    what: 'the disk is full',
    next: 'Free some space where the data folder is.',
    passes: true,
  },
  SQLITE_IOERR: {
    what: 'the disk refuses to be read or written',
    next: 'See whether it is full (df), over a quota or over a limit of file sizes (ulimit -f), or broken (dmesg).',
    passes: true,
  },
  SQLITE_READONLY: {
    what: 'the database file is read-only',
    next: 'Let the account that runs Corkboard write to corkboard.db, to the files beside it and to their folder.',
  },
  SQLITE_READONLY_DBMOVED: {
    what: 'the database file was moved or deleted while it was open',
    next: 'Put it back and start Corkboard again, or restore a backup.',
  },
  EACCES: {
    what: 'the account that runs Corkboard may not use it',
    next: 'Let that account read and write corkboard.db, the files beside it and their folder.',
  },
  EROFS: {
    what: 'its file system is read-only',
    next: 'Mount it so that it can be written, or name another data folder with --data or CORK_DATA.',
  },
  ENOSPC: {
    what: 'the disk is full',
    next: 'Free some space where the data folder is.',
    passes: true,
  },
  EDQUOT: {
    what: 'the quota of the disk is used up',
    next: 'Free some space where the data folder is, or raise the quota of the account.',
    passes: true,
  },
  EFBIG: {
    what: 'the disk takes no file of this size',
    next: 'See whether there is a limit of file sizes (ulimit -f).',
    passes: true,
  },
  SQLITE_CANTOPEN: {
    what: 'the database file cannot be opened',
    next: 'Check that its folder exists, that the account that runs Corkboard may write there, and that no limit of open files is reached (ulimit -n).',
  },
  SQLITE_CORRUPT: {
    what: 'the database file is damaged',
    next: 'Stop Corkboard, keep a copy of the data folder, and restore the newest backup from before the damage (cork restore).',
  },
  SQLITE_NOTADB: {
    what: 'the file is not a database',
    next: 'Check that it is the data folder you meant, or restore a backup.',
  },
  SQLITE_BUSY: {
    what: 'another program keeps the database locked',
    next: 'Find it (lsof corkboard.db) and let it finish, or end it.',
  },
  UNREACHABLE: {
    what: 'the database server cannot be reached',
    next: 'See that it runs and that the network lets Corkboard through; it goes on by itself then.',
  },
  // The classes of PostgreSQL's codes for what is missing on its side.
  '53': {
    what: 'the database server is short of disk, memory or connections',
    next: 'Its own log says which. Fewer connections: ?pool=8 in DATABASE_URL.',
    passes: true,
  },
  SQLITE_NOMEM: {
    what: 'there is no memory left for the database',
    next: 'Give Corkboard more memory, or end something else.',
  },
}

/** What is wrong with the database's surroundings, where it is that and no fault of the program. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  const known = Object.keys(TROUBLES).filter((name) => String(code).startsWith(name))
  const [name] = known.sort((a, b) => b.length - a.length)
  return name ? TROUBLES[name] : troubleOf(error.cause)
}

/** The same as a line of the log, which is read by whoever can do something about it. */
export function plainly(error: unknown): string {
  const trouble = troubleOf(error)
  if (!trouble) return 'failed'
  const { what, next, passes } = trouble
  const hope = passes ? ' Writing goes on by itself once it can; reading does meanwhile.' : ''
  return `${what[0]!.toUpperCase()}${what.slice(1)}. ${next}${hope}`
}

/**
 * What a caller hears of a write that the surroundings made impossible; the log has the cause. What
 * may pass is said, so that people know what to tell whoever can help, and keep what they wrote.
 */
export function unwritten(error: unknown, kept = 'The database'): unknown {
  const trouble = troubleOf(error)
  if (!trouble) return error
  const refused = trouble.passes
    ? new Fault(
        'unavailable',
        `${kept} cannot be written now: ${trouble.what}. Nothing was changed`,
        {},
        LATER,
      )
    : new Fault('internal', `${kept} could not be written; nothing was changed`, {}, LATER)
  refused.cause = error
  return refused
}

const LATER = 'Try again in a while; if it stays so, tell whoever runs this server the request_id'
