import type { Database } from 'bun:sqlite'
import {
  buildSegment,
  decodeSegment,
  type IndexedPassage,
  passagesOf,
  type Segment,
} from '../segments/segment.ts'
import { freshPassages, reanalysePassages } from './passage-terms.ts'
import type { IndexLog } from './types.ts'

/**
 * A segment of a board and the largest passage id of its range. The ranges of a board are adjacent,
 * because ids only grow.
 */
export interface StoredSegment {
  upto: number
  segment: Segment
}

/** New passages that are merged into a segment in a scan, otherwise, and when the index is idle. */
export const SCAN_THRESHOLD = 512
export const BUSY_THRESHOLD = 256
export const IDLE_THRESHOLD = 16
/** Largest segment. Building one blocks the thread, so no question is answered meanwhile. */
const MAX_PASSAGES = 2048
/** A segment with a larger share of deleted passages is rebuilt. */
const MAX_DELETED_SHARE = 0.3
const MIN_DELETED = 64

/** The range end and the size of each segment of a board. */
const sizesOf = (db: Database, project: number) =>
  db
    .query<{ upto: number; size: number }, [number]>(
      'SELECT upto, size FROM segments WHERE project = ? ORDER BY upto',
    )
    .all(project)

/** Loads the segments of a board, except those already loaded. */
export const loadSegments = (
  db: Database,
  project: number,
  log: IndexLog,
  loaded: readonly StoredSegment[] = [],
): StoredSegment[] =>
  sizesOf(db, project).map(
    ({ upto, size }, index, ranges) =>
      loaded.find((candidate) => candidate.upto === upto && candidate.segment.size === size) ?? {
        upto,
        segment: loadSegment(db, { project, upto, after: ranges[index - 1]?.upto ?? 0 }, log),
      },
  )

/** The segments of a board, one at a time. */
export function* segmentsOf(db: Database, project: number, log: IndexLog): Generator<Segment> {
  let after = 0
  for (const { upto } of sizesOf(db, project)) {
    yield loadSegment(db, { project, after, upto }, log)
    after = upto
  }
}

function loadSegment(db: Database, range: Range, log: IndexLog): Segment {
  const row = db
    .query<{ shelf: Uint8Array }, [number, number]>(
      'SELECT shelf FROM segments WHERE project = ? AND upto = ?',
    )
    .get(range.project, range.upto)
  return decodeOrUndefined(row!.shelf) ?? rebuildSegment(db, range, log)
}

function decodeOrUndefined(bytes: Uint8Array): Segment | undefined {
  try {
    return decodeSegment(bytes)
  } catch {
    return undefined
  }
}

interface Range {
  project: number
  after: number
  upto: number
}

function rebuildSegment(
  db: Database,
  { project, after: above, upto }: Range,
  log: IndexLog,
): Segment {
  const segment = buildSegment(reanalysePassages(db, project, above, upto))
  db.transaction(() => {
    insertSegment(db, project, { upto, segment })
    db.query('DELETE FROM gone WHERE project = ? AND id > ? AND id <= ?').run(project, above, upto)
  })()
  const about = { project_id: project, passages: segment.size }
  log.warn(about, 'A damaged part of the search index was rebuilt from its texts')
  return segment
}

const insertSegment = (db: Database, project: number, { upto, segment }: StoredSegment) =>
  db
    .query('INSERT OR REPLACE INTO segments (project, upto, size, shelf) VALUES (?, ?, ?, ?)')
    .run(project, upto, segment.size, segment.encode())

/**
 * Merges new passages and small preceding segments into one segment, or rebuilds a segment with many
 * deleted passages. This keeps segments few and rebuilds rare. Returns whether anything was done.
 */
export function compact(db: Database, project: number, threshold: number, log: IndexLog): boolean {
  return mergeFresh(db, project, threshold, log) || dropDeleted(db, project, log)
}

function mergeFresh(db: Database, project: number, threshold: number, log: IndexLog): boolean {
  const { n } = db
    .query<{ n: number }, [number]>('SELECT count(*) AS n FROM fresh WHERE project = ?')
    .get(project)!
  if (n < threshold) return false
  const fresh = freshPassages(db, project)
  const ranges = sizesOf(db, project)
  let firstMerged = ranges.length
  let size = fresh.length
  while (firstMerged > 0) {
    const before = ranges[firstMerged - 1]!.size
    if (before > 2 * size || size + before > MAX_PASSAGES) break
    size += before
    firstMerged--
  }
  const older = ranges.slice(firstMerged).flatMap(({ upto }, index) => {
    const above = ranges[firstMerged + index - 1]?.upto ?? 0
    return passagesOf(loadSegment(db, { project, after: above, upto }, log))
  })
  const above = ranges[firstMerged - 1]?.upto ?? 0
  replaceSegments(db, { project, after: above, upto: fresh.at(-1)!.id }, [...older, ...fresh])
  return true
}

/** Rebuilds the first segment with too many deleted passages. */
function dropDeleted(db: Database, project: number, log: IndexLog): boolean {
  const { n } = db
    .query<{ n: number }, [number]>('SELECT count(*) AS n FROM gone WHERE project = ?')
    .get(project)!
  if (n < MIN_DELETED) return false
  const deletedIds = deletedIdsOf(db, project)
  let after = 0
  for (const { upto, size } of sizesOf(db, project)) {
    const deletedHere = deletedIds.filter((id) => id > after && id <= upto).length
    if (deletedHere >= Math.min(MIN_DELETED, size) && deletedHere > size * MAX_DELETED_SHARE) {
      const range = { project, after, upto }
      replaceSegments(db, range, passagesOf(loadSegment(db, range, log)))
      return true
    }
    after = upto
  }
  return false
}

/** Replaces the segments of a range by one without the deleted passages. */
function replaceSegments(
  db: Database,
  { project, after: above, upto }: Range,
  passages: readonly IndexedPassage[],
): void {
  const deletedIds = new Set(deletedIdsOf(db, project))
  const segment = buildSegment(passages.filter(({ id }) => !deletedIds.has(id)))
  const between = 'project = ? AND {} > ? AND {} <= ?'
  const clear = (table: string, column: string) =>
    db
      .query(`DELETE FROM ${table} WHERE ${between.replaceAll('{}', column)}`)
      .run(project, above, upto)
  db.transaction(() => {
    clear('segments', 'upto')
    clear('fresh', 'id')
    clear('gone', 'id')
    if (segment.size) insertSegment(db, project, { upto, segment })
  })()
}

export const deletedIdsOf = (db: Database, project: number): number[] =>
  db
    .query<{ id: number }, [number]>('SELECT id FROM gone WHERE project = ?')
    .all(project)
    .map(({ id }) => id)
