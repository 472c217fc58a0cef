import { onPostgres } from './postgres.ts'

/**
 * `npm test` uses small counts for long suites, `npm run test:full` the full ones. Both are fixed,
 * so the same commit always runs the same tests.
 */
export const isFull = process.env.CORK_TEST_FULL === '1'

/** Every random choice of a test derives from this number. */
export const seed = Number(process.env.CORK_TEST_SEED ?? 1)

/** The number of repetitions of a long suite. */
export const scaleCount = (usual: number, full: number): number => (isFull ? full : usual)

/** Every nth item of a list, with a different n for each engine; all items in full runs. */
export function everyNth<T>(list: readonly T[], index: { sqlite: number; postgres: number }): T[] {
  const step = scaleCount(onPostgres ? index.postgres : index.sqlite, 1)
  return list.filter((_, at) => (at + seed) % step === 0)
}
