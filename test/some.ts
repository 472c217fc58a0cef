import { onPostgres } from './server.ts'

const full = process.env.CORK_TEST_FULL === '1'
const turn = Number(process.env.CORK_TEST_SEED ?? Math.floor(Date.now() / 1000))

/**
 * One of so many on each engine, others each time: suites over the whole catalog are long, and
 * `npm run test:full` runs all of them.
 */
export function some<T>(all: readonly T[], one: { sqlite: number; postgres: number }): T[] {
  const oneIn = full ? 1 : onPostgres ? one.postgres : one.sqlite
  return all.filter((_, at) => (at + turn) % oneIn === 0)
}
