import type { Database } from 'bun:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Direction, LatentModel } from '../latent/latent-model.ts'
import { PassageDirections } from '../latent/passage-directions.ts'
import { trainModel } from '../latent/train.ts'
import { type IndexedPassage, passageAt } from '../segments/segment.ts'
import { BoardModel } from './board-model.ts'
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
/** A question reads a block for each of its words and each board, so a block fits into a page. */
const BLOCK_BYTES = 3900
/** Training yields after this time, so that questions are answered in between. */
const SLICE_MS = 8

/** Loads the model of a board. A damaged one is dropped, and trained again later. */
export function loadModel(db: Database, project: number, log: IndexLog): BoardModel | undefined {
  const row = db
    .query<{ directions: Uint8Array }, [number]>('SELECT directions FROM models WHERE project = ?')
    .get(project)
  if (!row) return undefined
  const directions = PassageDirections.decode(row.directions)
  if (directions) return new BoardModel(db, project, directions)
  dropModel(db, project)
  log.warn({ project_id: project }, 'A damaged model of the search index is trained again')
  return undefined
}

/** Boards that are large enough for a model and have none. */
export const untrainedBoards = (db: Database): number[] =>
  db
    .query<{ project: number }, [number]>(
      `SELECT project FROM segments GROUP BY project HAVING sum(size) >= ?
       EXCEPT SELECT project FROM models`,
    )
    .all(MIN_PASSAGES)
    .map(({ project }) => project)

function dropModel(db: Database, project: number): boolean {
  db.query('DELETE FROM model_blocks WHERE project = ?').run(project)
  return db.query('DELETE FROM models WHERE project = ?').run(project).changes > 0
}

interface TrainedModel {
  model: LatentModel
  directions: PassageDirections
}

const saveModel = (
  db: Database,
  project: number,
  passages: number,
  { model, directions }: TrainedModel,
): void =>
  db.transaction(() => {
    dropModel(db, project)
    const add = db.query('INSERT INTO model_blocks (project, first, block) VALUES (?, ?, ?)')
    for (const block of model.blocks(BLOCK_BYTES)) add.run(project, block.first, block.encode())
    db.query('INSERT INTO models (project, passages, directions) VALUES (?, ?, ?)').run(
      ...[project, passages, directions.encode()],
    )
  })()

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
      saveModel(db, project, passages, step.value)
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
): Generator<void, TrainedModel | undefined> {
  const deletedIds = new Set(deletedIdsOf(db, project))
  const sample: IndexedPassage[] = []
  let at = 0
  for (const segment of segmentsOf(db, project, log)) {
    const ids = segment.column('id')
    for (let row = 0; row < segment.size; row++)
      if (!deletedIds.has(ids[row]!) && at++ % step === 0) sample.push(passageAt(segment, row))
    yield
  }
  const training = yield* trainModel(sample)
  if (!training) return undefined
  const { model, directionOf } = training
  const directions: [number, Direction | undefined][] = []
  let sampled = 0
  for (const segment of segmentsOf(db, project, log))
    for (const [row, id] of segment.column('id').entries()) {
      if (row % 64 === 63) yield
      const isInSample = sample[sampled]?.id === id
      directions.push([
        id,
        isInSample ? directionOf(sampled++) : model.passageDirection(segment, row),
      ])
    }
  return { model, directions: PassageDirections.pack(directions, model.dimensions) }
}
