/**
 * Calls every operation with its samples on the database in DATABASE_URL, and prints as JSON which
 * failed. With `distribute`, the tables are distributed before the calls. It is a process of its
 * own, because the tables are declared for the database that DATABASE_URL names when it starts.
 */
import { type AnyOperation, isWrite } from '../../src/kernel/operation.ts'
import {
  callerFor,
  inputFor,
  needsBrowser,
  operations,
  samplesOf,
} from '../../test/responses/requests.ts'
import { surfaceCallFor } from '../../test/support/surface-calls.ts'
import { world } from '../../test/support/world.ts'
import { distribute } from './citus-cluster.ts'

const url = process.env.DATABASE_URL!
const w = await world({ location: { path: '', url }, full: true })
if (process.argv.includes('distribute')) await distribute(url)

/** Returns why a call failed; undefined if all succeeded. */
async function call(op: AnyOperation): Promise<string | undefined> {
  try {
    for (const sample of samplesOf(op)) {
      const input = await inputFor(w, op, sample)
      const { fault } = await surfaceCallFor(op)(w, callerFor(w, op), op, input)
      if (fault) return fault.message
    }
  } catch (error) {
    return (error as Error).message
  }
  return undefined
}

/** Reads come first, and what deletes comes last. Later nouns depend on earlier ones. */
const orderOf = (op: AnyOperation) => (isWrite(op) ? (op.destroys ? 2 : 1) : 0)
const ordered = operations
  .filter((op) => !needsBrowser(op))
  .toReversed()
  .toSorted((a, b) => orderOf(a) - orderOf(b))
const results: [name: string, failure: string | null][] = []
for (const op of ordered) results.push([op.name, (await call(op)) ?? null])
console.log(JSON.stringify(results))
process.exit()
