import { sample } from './seed.ts'
import { onPostgres } from './server.ts'

const full = process.env.CORK_TEST_FULL === '1'

/**
 * One of so many on each engine: suites over the whole catalog are long, and `npm run test:full`
 * runs all of them.
 */
export function some<T>(all: readonly T[], one: { sqlite: number; postgres: number }): T[] {
  const oneIn = full ? 1 : onPostgres ? one.postgres : one.sqlite
  return all.filter((_, at) => (at + sample) % oneIn === 0)
}
