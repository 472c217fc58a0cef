import type { Database } from 'bun:sqlite'
import { setImmediate } from 'node:timers/promises'
import { decodeModel, type LatentModel } from '../latent/latent-model.ts'
import { trainModel } from '../latent/train.ts'
import { type IndexedPassage, passageAt } from '../segments/segment.ts'
import { deletedIdsOf, segmentsOf } from './segments.ts'
import type { IndexLog } from './types.ts'

/** Boards with fewer passages have no model: too few words occur together. */
const MIN_PASSAGES = 64
/** More passages are sampled, which bounds the time and the memory of a training. */
const MAX_SAMPLE = 6000
/** Factors of growth after which a model is trained again: while texts arrive, and when idle. */
export const BUSY_GROWTH = 4
export const IDLE_GROWTH = 1.1
/** A model is also trained again if the board has shrunk to this share. */
const SHRUNK = 0.5
/** Training yields after this time, so that questions are answered in between. */
const SLICE_MS = 8

/** Loads the model of a board. A damaged one is dropped, and trained again later. */
export function loadModel(db: Database, project: number, log: IndexLog): LatentModel | undefined {
  const row = db
    .query<{ model: Uint8Array }, [number]>('SELECT model FROM models WHERE project = ?')
    .get(project)
  if (!row) return undefined
  const model = decodeModel(row.model)
  if (model) return model
  dropModel(db, project)
  log.warn({ project_id: project }, 'A damaged model of the search index is trained again')
  return undefined
}

const dropModel = (db: Database, project: number) =>
  db.query('DELETE FROM models WHERE project = ?').run(project).changes > 0

/**
 * Trains the model of a board on its own passages, if the board has changed enough since the last
 * training; never if `growth` is infinite. Returns whether the model changed. `isCancelled` ends a training early.
 */
export async function updateModel(
  db: Database,
  project: number,
  { growth, log, isCancelled }: { growth: number; log: IndexLog; isCancelled: () => boolean },
): Promise<boolean> {
  if (!Number.isFinite(growth)) return false
  const passages = passageCount(db, project)
  if (passages < MIN_PASSAGES) return dropModel(db, project)
  const trained = db
    .query<{ passages: number }, [number]>('SELECT passages FROM models WHERE project = ?')
    .get(project)?.passages
  if (trained && passages < trained * growth && passages > trained * SHRUNK) return false
  const training = train(db, project, Math.ceil(passages / MAX_SAMPLE), log)
  let startedAt = performance.now()
  for (;;) {
    const step = training.next()
    if (step.done) {
      if (!step.value) return dropModel(db, project)
      db.query('INSERT OR REPLACE INTO models (project, passages, model) VALUES (?, ?, ?)').run(
        ...[project, passages, step.value.encode()],
      )
      return true
    }
    if (performance.now() - startedAt < SLICE_MS) continue
    await setImmediate()
    if (isCancelled()) return false
    startedAt = performance.now()
  }
}

/** The number of passages in segments that are not deleted. */
const passageCount = (db: Database, project: number): number =>
  db
    .query<{ n: number }, [number, number]>(
      `SELECT coalesce((SELECT sum(size) FROM segments WHERE project = ?), 0)
         - (SELECT count(*) FROM gone WHERE project = ?) AS n`,
    )
    .get(project, project)!.n

function* train(
  db: Database,
  project: number,
  step: number,
  log: IndexLog,
): Generator<void, LatentModel | undefined> {
  const deletedIds = new Set(deletedIdsOf(db, project))
  const sample: IndexedPassage[] = []
  let at = 0
  for (const segment of segmentsOf(db, project, log)) {
    const ids = segment.column('id')
    for (let row = 0; row < segment.size; row++)
      if (!deletedIds.has(ids[row]!) && at++ % step === 0) sample.push(passageAt(segment, row))
    yield
  }
  return yield* trainModel(sample)
}
