import type { Tx } from '../kernel/caller.ts'

/** The statements that each PostgreSQL connection has sent in its transaction without waiting. */
const sent = new WeakMap<Tx, Promise<unknown>[]>()

/**
 * Runs a statement of a write whose result is not needed. PostgreSQL gets it without a wait for the
 * response: later statements follow it in order, and the write fails if it fails. SQLite answers at
 * once.
 */
export async function send(tx: Tx, statement: PromiseLike<unknown>): Promise<void> {
  const statements = sent.get(tx)
  if (!statements) return void (await statement)
  const response = Promise.resolve(statement)
  // The end of the transaction looks at the errors.
  response.catch(() => {})
  statements.push(response)
}

/** Begins a transaction whose statements may be sent without waiting. Returns those sent. */
export function collectSent(tx: Tx): readonly Promise<unknown>[] {
  const statements: Promise<unknown>[] = []
  sent.set(tx, statements)
  return statements
}
