import type { Column } from '../../record.ts'

/** If some columns are known to be done, the others are not. */
export const withDone = (columns: readonly Column[]): Column[] =>
  columns.some(({ done }) => done)
    ? columns.map((column) => ({ ...column, done: column.done === true }))
    : [...columns]
