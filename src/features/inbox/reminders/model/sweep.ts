import type { Tx } from '../../../../kernel/caller.ts'

/** Work triggered by time, in steps small enough to let other writers in between. */
export interface Sweep<M = unknown> {
  name: string
  /** Finds the next candidates after `from`, without writing. */
  find(tx: Tx, now: Date, limit: number, from?: M): Promise<SweepPage<M>>
  /** Processes those of the candidates that still need it, and returns their number. */
  run(tx: Tx, now: Date, ids: readonly number[]): Promise<number>
}

export interface SweepPage<M> {
  ids: number[]
  /** Cursor of the next page; absent at the end. */
  next?: M
}

/** The cursor after a page of rows. */
export const nextCursor = <R>(rows: readonly R[], limit: number): { next?: R } => {
  const next = rows.length < limit ? undefined : rows.at(-1)
  return next === undefined ? {} : { next }
}
