import type { Database } from 'bun:sqlite'
import { type Leaf, leavesOf, type Shelf, shelve, unshelve } from '../shelf.ts'
import { freshLeaves, readAgain } from './leaves.ts'
import type { Log } from './shelves.ts'

/**
 * A shelf of a board and the newest passage that it could hold: each begins where the one before it
 * ends, for numbers only grow.
 */
export interface Segment {
  upto: number
  shelf: Shelf
}

/** So many new passages become a segment at once, and so many when there is nothing else to do. */
export const BUSY = 256
export const IDLE = 16
/** A segment is made in one go, and nobody is answered meanwhile. */
const MOST_LEAVES = 2048
/** What is gone and still there: more of it is not worth keeping. */
const MOST_GONE = 0.3
const FEW = 64

/** Of each segment the newest that it could hold, and how many it does. */
const sizesOf = (db: Database, project: number) =>
  db
    .query<{ upto: number; size: number }, [number]>(
      'SELECT upto, size FROM segments WHERE project = ? ORDER BY upto',
    )
    .all(project)

/** Those that are at hand already are not read again. */
export const segmentsOf = (
  db: Database,
  project: number,
  log: Log,
  before: readonly Segment[] = [],
): Segment[] =>
  sizesOf(db, project).map(
    ({ upto, size }, at, all) =>
      before.find((one) => one.upto === upto && one.shelf.size === size) ?? {
        upto,
        shelf: shelfOf(db, { project, upto, above: all[at - 1]?.upto ?? 0 }, log),
      },
  )

function shelfOf(db: Database, range: Range, log: Log): Shelf {
  const row = db
    .query<{ shelf: Uint8Array }, [number, number]>(
      'SELECT shelf FROM segments WHERE project = ? AND upto = ?',
    )
    .get(range.project, range.upto)
  return readable(row!.shelf) ?? remade(db, range, log)
}

function readable(bytes: Uint8Array): Shelf | undefined {
  try {
    return unshelve(bytes)
  } catch {
    return undefined
  }
}

interface Range {
  project: number
  above: number
  upto: number
}

function remade(db: Database, { project, above, upto }: Range, log: Log): Shelf {
  const shelf = shelve(readAgain(db, project, above, upto))
  db.transaction(() => {
    put(db, project, { upto, shelf })
    db.query('DELETE FROM gone WHERE project = ? AND id > ? AND id <= ?').run(project, above, upto)
  })()
  const about = { project_id: project, passages: shelf.size }
  log.warn(about, 'A damaged part of the search index was made anew from its texts')
  return shelf
}

const put = (db: Database, project: number, { upto, shelf }: Segment) =>
  db
    .query('INSERT OR REPLACE INTO segments (project, upto, size, shelf) VALUES (?, ?, ?, ?)')
    .run(project, upto, shelf.size, shelf.encode())

/**
 * What is new becomes a segment, together with small ones before it, so that there are few and none
 * is made anew often; what is mostly gone is made smaller. Answers whether there was anything to do.
 */
export function tidied(db: Database, project: number, most: number, log: Log): boolean {
  return gathered(db, project, most, log) || thinned(db, project, log)
}

function gathered(db: Database, project: number, most: number, log: Log): boolean {
  const { n } = db
    .query<{ n: number }, [number]>('SELECT count(*) AS n FROM fresh WHERE project = ?')
    .get(project)!
  if (n < most) return false
  const fresh = freshLeaves(db, project)
  const ranges = sizesOf(db, project)
  let first = ranges.length
  let size = fresh.length
  while (first > 0) {
    const before = ranges[first - 1]!.size
    if (before > 2 * size || size + before > MOST_LEAVES) break
    size += before
    first--
  }
  const before = ranges.slice(first).flatMap(({ upto }, at) => {
    const above = ranges[first + at - 1]?.upto ?? 0
    return leavesOf(shelfOf(db, { project, above, upto }, log))
  })
  const above = ranges[first - 1]?.upto ?? 0
  renew(db, { project, above, upto: fresh.at(-1)!.id }, [...before, ...fresh])
  return true
}

/** The one that has lost most of its passages, if it is worth it. */
function thinned(db: Database, project: number, log: Log): boolean {
  const { n } = db
    .query<{ n: number }, [number]>('SELECT count(*) AS n FROM gone WHERE project = ?')
    .get(project)!
  if (n < FEW) return false
  const gone = goneIn(db, project)
  let above = 0
  for (const { upto, size } of sizesOf(db, project)) {
    const lost = gone.filter((id) => id > above && id <= upto).length
    if (lost >= Math.min(FEW, size) && lost > size * MOST_GONE) {
      const range = { project, above, upto }
      renew(db, range, leavesOf(shelfOf(db, range, log)))
      return true
    }
    above = upto
  }
  return false
}

/** One segment in the place of all between; what is gone is left out of it. */
function renew(db: Database, { project, above, upto }: Range, leaves: readonly Leaf[]): void {
  const gone = new Set(goneIn(db, project))
  const shelf = shelve(leaves.filter(({ id }) => !gone.has(id)))
  const between = 'project = ? AND {} > ? AND {} <= ?'
  const clear = (table: string, column: string) =>
    db
      .query(`DELETE FROM ${table} WHERE ${between.replaceAll('{}', column)}`)
      .run(project, above, upto)
  db.transaction(() => {
    clear('segments', 'upto')
    clear('fresh', 'id')
    clear('gone', 'id')
    if (shelf.size) put(db, project, { upto, shelf })
  })()
}

export const goneIn = (db: Database, project: number): number[] =>
  db
    .query<{ id: number }, [number]>('SELECT id FROM gone WHERE project = ?')
    .all(project)
    .map(({ id }) => id)
