import { Fault } from '../kernel/fault.ts'

interface Trouble {
  what: string
  next: string
  /** Set where it may work later without a restart: after how many seconds a retry is worthwhile. */
  passes?: number
}

/** Of what somebody has to clear away first. */
const MINUTE = 60

/** What the codes of SQLite, PostgreSQL and the system mean for whoever runs the server; the longest beginning that fits. */
const TROUBLES: Record<string, Trouble> = {
  SQLITE_FULL: {
    what: 'the disk is full',
    next: 'Free some space where the data folder is.',
    passes: MINUTE,
  },
  SQLITE_IOERR: {
    what: 'the disk refuses to be read or written',
    next: 'See whether it is full (df), over a quota or over a limit of file sizes (ulimit -f), or broken (dmesg).',
    passes: MINUTE,
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
    passes: MINUTE,
  },
  EDQUOT: {
    what: 'the quota of the disk is used up',
    next: 'Free some space where the data folder is, or raise the quota of the account.',
    passes: MINUTE,
  },
  EFBIG: {
    what: 'the disk takes no file of this size',
    next: 'See whether there is a limit of file sizes (ulimit -f).',
    passes: MINUTE,
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
    passes: 2,
  },
  UNREACHABLE: {
    what: 'the database server cannot be reached',
    next: 'See that it runs and that the network lets Corkboard through; it goes on by itself then.',
    passes: 5,
  },
  EXHAUSTED: {
    what: 'all connections to the database server are in use',
    next: 'Find what takes so long (pg_stat_activity), or allow more with ?pool=32 in DATABASE_URL.',
    passes: 2,
  },
  '57014': {
    what: 'the database server took too long, most likely because another program holds a lock',
    next: 'Find it (pg_locks, pg_stat_activity) and let it finish, or end it.',
    passes: 2,
  },
  '55P03': {
    what: 'another program holds a lock in the database',
    next: 'Find it (pg_locks, pg_stat_activity) and let it finish, or end it.',
    passes: 2,
  },
  '57P': {
    what: 'the database server is stopping or starting',
    next: 'Wait until it has started; Corkboard goes on by itself then.',
    passes: 5,
  },
  // The classes of PostgreSQL's codes for what is missing on its side.
  '53': {
    what: 'the database server is short of disk, memory or connections',
    next: 'Its own log says which. Fewer connections: ?pool=8 in DATABASE_URL.',
    passes: MINUTE,
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

/** Whether another process holds a lock of SQLite's. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY') || isBusy(error.cause))

/**
 * What a caller is told of a write that the surroundings made impossible; the log has the cause. A
 * trouble that may pass is named, so that people keep what they wrote and know what to report.
 */
export function unwritten(error: unknown, kept = 'The database'): unknown {
  return refused(error, {
    passing: (what) => `${kept} cannot be written now: ${what}. Nothing was changed`,
    lasting: `${kept} could not be written; nothing was changed`,
  })
}

/** The same for a read. */
export const unread = (error: unknown): unknown =>
  refused(error, {
    passing: (what) => `The database cannot be read now: ${what}`,
    lasting: 'The database could not be read',
  })

/** The connection broke while a write was committed, so nobody knows whether it was. */
export const unconfirmed = (error: unknown): unknown =>
  refused(error, {
    passing: (what) => `It is not known whether this was saved: ${what}`,
    lasting: 'It is not known whether this was saved',
  })

interface Words {
  passing(what: string): string
  lasting: string
}

function refused(error: unknown, { passing, lasting }: Words): unknown {
  if (error instanceof Fault) return error
  const trouble = troubleOf(error)
  if (!trouble) return error
  const { what, passes } = trouble
  const fault = passes
    ? new Fault('unavailable', passing(what), { retry_after: passes }, LATER)
    : new Fault('internal', lasting, {}, LATER)
  fault.cause = error
  return fault
}

const LATER = 'Try again in a while; if it stays so, tell whoever runs this server the request_id'
