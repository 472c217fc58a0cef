import type { Tx } from '../../kernel/caller.ts'

/** What time alone brings about, in steps that are small enough for others to write in between. */
export interface Sweep<M = unknown> {
  name: string
  /** Tasks that may be ripe, from where a look before ended; nothing is written. */
  look(tx: Tx, now: Date, most: number, from?: M): Promise<Looked<M>>
  /** Does what still is to be done of these, and says of how many that was. */
  act(tx: Tx, now: Date, ids: readonly number[]): Promise<number>
}

export interface Looked<M> {
  ids: number[]
  /** Where to go on; absent at the end. */
  next?: M
}

/** Of the rows of one look, where the next begins. */
export const onward = <R>(rows: readonly R[], most: number): { next?: R } => {
  const next = rows.length < most ? undefined : rows.at(-1)
  return next === undefined ? {} : { next }
}
