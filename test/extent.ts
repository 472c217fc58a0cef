import { onPostgres } from './server.ts'

/**
 * How far the tests go. `npm test` gives long suites small counts, `npm run test:full` the whole
 * ones. Both are fixed, so the same commit always runs the same tests.
 */
export const isFull = process.env.CORK_TEST_FULL === '1'

/** Every random choice of a test derives from this number. */
export const seed = Number(process.env.CORK_TEST_SEED ?? 1)

/** How often a long suite repeats what it does. */
export const scaled = (usual: number, full: number): number => (isFull ? full : usual)

/** Every nth of a list, with another n for each engine; in full, all of it. */
export function everyNth<T>(list: readonly T[], nth: { sqlite: number; postgres: number }): T[] {
  const step = scaled(onPostgres ? nth.postgres : nth.sqlite, 1)
  return list.filter((_, at) => (at + seed) % step === 0)
}
