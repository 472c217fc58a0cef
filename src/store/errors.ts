import { Fault } from '../kernel/fault.ts'

interface DatabaseProblem {
  problem: string
  remedy: string
  /** Seconds after which a retry may succeed; absent if a restart is needed. */
  retryAfter?: number
}

/** For problems that a person has to solve first. */
const MINUTE = 60

/** By error code of SQLite, PostgreSQL or the system; the longest matching prefix applies. */
const PROBLEMS: Record<string, DatabaseProblem> = {
  SQLITE_FULL: {
    problem: 'the disk is full',
    remedy: 'Free some space where the data folder is.',
    retryAfter: MINUTE,
  },
  SQLITE_IOERR: {
    problem: 'the disk cannot be read or written',
    remedy:
      'Check whether it is full (df), over a quota or a file size limit (ulimit -f), or broken (dmesg).',
    retryAfter: MINUTE,
  },
  SQLITE_READONLY: {
    problem: 'the database file is read-only',
    remedy:
      'Give the account that runs Corkboard write access to corkboard.db, the files beside it and their folder.',
  },
  SQLITE_READONLY_DBMOVED: {
    problem: 'the database file was moved or deleted while it was open',
    remedy: 'Put it back and restart Corkboard, or restore a backup.',
  },
  EACCES: {
    problem: 'the account that runs Corkboard may not use it',
    remedy:
      'Give that account read and write access to corkboard.db, the files beside it and their folder.',
  },
  EROFS: {
    problem: 'its file system is read-only',
    remedy: 'Mount it writable, or choose another data folder with --data or CORK_DATA.',
  },
  ENOSPC: {
    problem: 'the disk is full',
    remedy: 'Free some space where the data folder is.',
    retryAfter: MINUTE,
  },
  EDQUOT: {
    problem: 'the quota of the disk is used up',
    remedy: 'Free some space where the data folder is, or raise the quota of the account.',
    retryAfter: MINUTE,
  },
  EFBIG: {
    problem: 'the file is larger than the system allows',
    remedy: 'Check for a file size limit (ulimit -f).',
    retryAfter: MINUTE,
  },
  SQLITE_CANTOPEN: {
    problem: 'the database file cannot be opened',
    remedy:
      'Check that its folder exists, that the account that runs Corkboard may write there, and that no limit of open files is reached (ulimit -n).',
  },
  SQLITE_CORRUPT: {
    problem: 'the database file is damaged',
    remedy:
      'Stop Corkboard, keep a copy of the data folder, and restore the newest backup from before the damage (cork restore).',
  },
  SQLITE_NOTADB: {
    problem: 'the file is not a database',
    remedy: 'Check that this is the right data folder, or restore a backup.',
  },
  SQLITE_BUSY: {
    problem: 'another program keeps the database locked',
    remedy: 'Find it (lsof corkboard.db) and let it finish, or end it.',
    retryAfter: 2,
  },
  UNREACHABLE: {
    problem: 'the database server cannot be reached',
    remedy:
      'Check that it runs and that the network allows the connection; Corkboard then continues automatically.',
    retryAfter: 5,
  },
  EXHAUSTED: {
    problem: 'all connections to the database server are in use',
    remedy:
      'Find out what takes so long (pg_stat_activity), or allow more with ?pool=32 in DATABASE_URL.',
    retryAfter: 2,
  },
  '25006': {
    problem: 'the database server allows only reads, most likely because another one takes over',
    remedy:
      'If it lasts, check that DATABASE_URL leads to the primary; Corkboard then continues automatically.',
    retryAfter: 5,
  },
  '57014': {
    problem: 'the database server took too long, most likely because another program holds a lock',
    remedy: 'Find it (pg_locks, pg_stat_activity) and let it finish, or end it.',
    retryAfter: 2,
  },
  '55P03': {
    problem: 'another program holds a lock in the database',
    remedy: 'Find it (pg_locks, pg_stat_activity) and let it finish, or end it.',
    retryAfter: 2,
  },
  '57P': {
    problem: 'the database server is stopping or starting',
    remedy: 'Wait until it has started; Corkboard then continues automatically.',
    retryAfter: 5,
  },
  // PostgreSQL's class of codes for insufficient resources.
  '53': {
    problem: 'the database server is short of disk, memory or connections',
    remedy: 'Its own log says which. Fewer connections: ?pool=8 in DATABASE_URL.',
    retryAfter: MINUTE,
  },
  SQLITE_NOMEM: {
    problem: 'there is no memory left for the database',
    remedy: 'Give Corkboard more memory, or stop other programs.',
  },
}

/**
 * The problem of the disk, the server or the network behind an error; undefined for other errors.
 */
export function problemOf(error: unknown): DatabaseProblem | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  const known = Object.keys(PROBLEMS).filter((name) => String(code).startsWith(name))
  const [name] = known.sort((a, b) => b.length - a.length)
  return name ? PROBLEMS[name] : problemOf(error.cause)
}

/** Describes the error for the log, in words for operators. */
export function describeProblem(error: unknown): string {
  const known = problemOf(error)
  if (!known) return 'failed'
  const { problem, remedy, retryAfter } = known
  const retryNote = retryAfter ? ' Writes resume automatically.' : ''
  return `${problem[0]!.toUpperCase()}${problem.slice(1)}. ${remedy}${retryNote}`
}

/** Whether another process holds a lock on the SQLite file. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY') || isBusy(error.cause))

/**
 * The error that callers get for a write that failed because of a database problem; the log has the
 * cause. A temporary problem is named, so that people keep their text and know what to report.
 */
export function writeError(error: unknown, subject = 'The database'): unknown {
  return toFault(error, {
    temporary: (what) => `${subject} cannot be written now: ${what}. Nothing was changed`,
    permanent: `${subject} could not be written; nothing was changed`,
  })
}

/** The error that callers get for a read that failed because of a database problem. */
export const readError = (error: unknown): unknown =>
  toFault(error, {
    temporary: (what) => `The database cannot be read now: ${what}`,
    permanent: 'The database could not be read',
  })

/** For a connection that broke during a commit: it is unknown whether the write succeeded. */
export const unconfirmedError = (error: unknown): unknown =>
  toFault(error, {
    temporary: (what) => `It is not known whether this was saved: ${what}`,
    permanent: 'It is not known whether this was saved',
  })

interface Messages {
  temporary(what: string): string
  permanent: string
}

function toFault(error: unknown, { temporary, permanent }: Messages): unknown {
  if (error instanceof Fault) return error
  const known = problemOf(error)
  if (!known) return error
  const { problem, retryAfter } = known
  const fault = retryAfter
    ? new Fault('unavailable', temporary(problem), { retry_after: retryAfter }, RETRY_HINT)
    : new Fault('internal', permanent, {}, RETRY_HINT)
  fault.cause = error
  return fault
}

const RETRY_HINT =
  'Try again later; if it still fails, report the request_id to the server operator'
