import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../kernel/caller.ts'
import { dialect } from './columns.ts'
import { awaitSent } from './send.ts'

/** Drizzle's method for other statements has another name on each engine. */
type Execute = (statement: SQL) => PromiseLike<unknown> | unknown

const execute = async (tx: Tx, statement: string): Promise<void> => {
  const { run, execute } = tx as unknown as { run: Execute; execute: Execute }
  await (dialect === 'postgres' ? execute : run).call(tx, sql.raw(statement))
}

/**
 * Runs a part of a transaction. If the part throws, everything that it has written is undone, and the
 * transaction can go on.
 */
export async function inSavepoint<T>(tx: Tx, job: () => Promise<T>): Promise<T> {
  await awaitSent(tx)
  await execute(tx, 'SAVEPOINT part')
  try {
    const value = await job()
    await awaitSent(tx)
    await execute(tx, 'RELEASE SAVEPOINT part')
    return value
  } catch (error) {
    await awaitSent(tx).catch(() => {})
    await execute(tx, 'ROLLBACK TO SAVEPOINT part')
    await execute(tx, 'RELEASE SAVEPOINT part')
    throw error
  }
}
