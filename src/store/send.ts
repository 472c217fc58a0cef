import type { Tx } from '../kernel/caller.ts'

/** The pending statements of each PostgreSQL transaction. */
const sent = new WeakMap<Tx, Promise<unknown>[]>()

/**
 * Executes a statement without returning its result. On PostgreSQL this does not wait for the
 * response: a connection executes its statements in order, and if one fails, so does the commit. On
 * SQLite it waits.
 */
export async function send(tx: Tx, statement: PromiseLike<unknown>): Promise<void> {
  const statements = sent.get(tx)
  if (!statements) return void (await statement)
  const response = Promise.resolve(statement)
  // The end of the transaction handles the error. Without this it would count as unhandled.
  response.catch(() => {})
  statements.push(response)
}

/**
 * Waits for the responses to the statements that were sent so far. The first error is thrown here, and
 * not again at the end of the transaction.
 */
export async function awaitSent(tx: Tx): Promise<void> {
  const statements = sent.get(tx)
  if (!statements?.length) return
  for (const { status, reason } of (await Promise.allSettled(statements.splice(0))) as {
    status: string
    reason?: unknown
  }[])
    if (status === 'rejected') throw reason
}

/** Starts an empty list of sent statements for a new transaction, and returns it. */
export function collectSent(tx: Tx): readonly Promise<unknown>[] {
  const statements: Promise<unknown>[] = []
  sent.set(tx, statements)
  return statements
}
